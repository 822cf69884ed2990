"""Room tests/report."""
