"""Placements and runs across nodes as JSON and as tables."""
