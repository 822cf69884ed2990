"""Room ppnsim/platform/files."""
