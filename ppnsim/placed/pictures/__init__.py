"""Room ppnsim/placed/pictures."""
