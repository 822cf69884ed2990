"""Rooflines, and the chart of frequency against memory quanta."""
