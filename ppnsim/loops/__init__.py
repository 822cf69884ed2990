"""Room ppnsim/loops."""
