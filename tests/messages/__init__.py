"""Room tests/messages."""
