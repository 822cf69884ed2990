"""C and C++ sources as networks: their dataflow region or their statements, and sized depths back into the source."""
