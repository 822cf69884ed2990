"""Dataflow regions: tasks that run at the same time, as a process network."""
