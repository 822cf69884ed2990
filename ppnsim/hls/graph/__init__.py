"""The data-flow graph of a loop body, built from its statements. The entry points are `loop_graph` and `builder`."""
