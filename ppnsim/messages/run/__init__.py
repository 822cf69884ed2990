"""Ranks and flows executed in SimPy."""
