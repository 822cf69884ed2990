"""The bank queue as compiled kernels: the same clocks as the definition, faster."""
