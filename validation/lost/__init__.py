"""Useful and lost cycles of a loop nest beside the tables of the method's paper."""
