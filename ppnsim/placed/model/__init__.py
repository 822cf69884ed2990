"""A network on nodes: the links between them, its memory ports, where each process is."""
