"""Execution of designs: the host's compiler translates the C++, and the tasks run in simulated time."""
