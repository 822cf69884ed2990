"""Room tests/plots."""
