"""The loop program: its expressions, polyhedra and dependences, rewritings, and the program as C text."""
