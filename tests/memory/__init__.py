"""Room tests/memory."""
