"""Platforms: what nodes, networks and memories are, as parameters and service laws without an event loop."""
