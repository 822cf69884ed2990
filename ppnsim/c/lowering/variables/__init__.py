"""Analyses the variables of a function in its syntax tree, before the lowering."""
