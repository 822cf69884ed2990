"""Results for other programs: tables as CSV."""
