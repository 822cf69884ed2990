"""Room ppnsim/placed/sweep."""
