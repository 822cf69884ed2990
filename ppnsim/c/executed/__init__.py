"""Executes control flow as C does, to count the iterations of loops whose bounds are computed from known numbers."""
