"""Room tests/formats."""
