"""Room ppnsim/loops/rewrite."""
