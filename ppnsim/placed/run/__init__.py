"""Networks across nodes executed in SimPy."""
