"""Control flow executed as C does it, to count the iterations of loops whose bounds are computed from known numbers."""
