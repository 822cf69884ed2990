"""Room ppnsim/derive/designs."""
