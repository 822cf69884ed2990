"""Evaluates integers that are known before the program runs, as piecewise affine values of the iterators."""
