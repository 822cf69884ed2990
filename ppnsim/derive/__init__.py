"""Room ppnsim/derive."""
