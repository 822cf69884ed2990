"""LogGP links, message schedules, collectives, and flows that share links fairly."""
