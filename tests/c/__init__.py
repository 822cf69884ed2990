"""Room tests/c."""
