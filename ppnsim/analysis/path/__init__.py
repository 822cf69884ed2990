"""The critical path of a run: the graph of its events, the path through them, and whose its cycles are."""
