"""Room ppnsim/platform/pictures."""
