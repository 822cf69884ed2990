"""Cycles of statements in files."""
