"""Room tests/helpers."""
