"""Throughput estimates of a loop program as a network, from a walk of its loops."""
