"""Room tests/scenarios."""
