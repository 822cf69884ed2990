"""Lowers the syntax tree of a function to the nodes of a loop program."""
