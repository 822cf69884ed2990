"""Room ppnsim/placed/files."""
