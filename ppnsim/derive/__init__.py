"""From a loop program to its process network."""
