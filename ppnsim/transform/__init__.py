"""Rewritings of a loop program that keep what it computes: pure functions, one file each."""
