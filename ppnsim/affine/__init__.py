"""Loop programs with static affine control, their polyhedra and their dependences."""
