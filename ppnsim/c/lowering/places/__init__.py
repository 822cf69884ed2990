"""Finds the array and the element that an expression names."""
