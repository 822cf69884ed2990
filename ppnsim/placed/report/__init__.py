"""Room ppnsim/placed/report."""
