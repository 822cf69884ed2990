"""From C to a loop program, and from a loop program to a process network."""
