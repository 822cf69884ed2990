"""Useful and lost cycles of scheduled kernels."""
