"""Lowers loops, branches and early exits."""
