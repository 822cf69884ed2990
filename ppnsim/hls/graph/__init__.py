"""The body of a loop as a data-flow graph."""
