"""Room ppnsim/derive/estimate."""
