"""Engines: a network at fixed parameters goes in, a `Run` comes out. The SimPy engine in ``des`` is the definition."""
