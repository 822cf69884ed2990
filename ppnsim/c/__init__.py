"""Room ppnsim/c."""
