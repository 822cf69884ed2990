"""Room ppnsim/placed/run."""
