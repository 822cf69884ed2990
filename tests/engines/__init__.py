"""Room tests/engines."""
