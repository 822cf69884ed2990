"""What a loop program reaches as a network, from a walk of its loops."""
