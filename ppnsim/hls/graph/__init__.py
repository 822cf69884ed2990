"""From the statements of a body to its data-flow graph: `loop_graph` and `builder` are the doors."""
