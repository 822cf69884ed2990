"""Room tests/loops."""
