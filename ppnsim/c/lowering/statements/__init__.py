"""Assignments and expressions: the statements of a loop program and their trees."""
