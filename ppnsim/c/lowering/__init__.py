"""Room ppnsim/c/lowering."""
