"""Room tests/oracles."""
