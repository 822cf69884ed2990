"""Room tests/cli."""
