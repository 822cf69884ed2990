"""Accelerators in files."""
