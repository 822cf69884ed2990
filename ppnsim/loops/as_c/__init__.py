"""Room ppnsim/loops/as_c."""
