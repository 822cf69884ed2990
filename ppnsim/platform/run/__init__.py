"""Applications executed on platforms in SimPy."""
