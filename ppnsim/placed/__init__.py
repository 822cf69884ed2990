"""Room ppnsim/placed."""
