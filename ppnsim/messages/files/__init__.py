"""Message schedules and flows in files."""
