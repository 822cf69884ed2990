"""Room tests/platform."""
