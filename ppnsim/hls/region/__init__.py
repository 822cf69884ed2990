"""Dataflow regions: their tasks run concurrently and become a process network."""
