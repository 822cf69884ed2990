"""Designs that are executed: C++ compiled with the host's compiler, its tasks in simulated time."""
