"""Room ppnsim/c/pragmas."""
