"""Memories and their traffic in files."""
