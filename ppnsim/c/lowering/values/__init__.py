"""Whole numbers that are known before the program runs: affine in the iterators, in pieces."""
