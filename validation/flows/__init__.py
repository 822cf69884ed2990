"""Section flows."""
