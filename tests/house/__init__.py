"""Room tests/house."""
