"""Platforms and what runs on them: nodes, networks, buses, stages."""
