"""Room tests/placed."""
