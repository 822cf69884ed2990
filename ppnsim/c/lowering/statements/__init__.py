"""Lowers assignments and expressions to the statements of a loop program and their expression trees."""
