"""Room ppnsim/memory/files."""
