"""Room tests/model."""
