"""The data-flow graph of a loop body, built from its statements. The entry point is `builder.GraphBuilder`."""
