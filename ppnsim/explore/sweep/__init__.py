"""Room ppnsim/explore/sweep."""
