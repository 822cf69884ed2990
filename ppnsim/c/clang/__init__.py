"""Room ppnsim/c/clang."""
