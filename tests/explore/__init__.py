"""Room tests/explore."""
