"""Loops, branches and ways out of them."""
