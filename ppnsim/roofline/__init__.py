"""Room ppnsim/roofline."""
