"""Room ppnsim/explore/explain."""
