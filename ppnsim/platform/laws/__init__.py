"""Room ppnsim/platform/laws."""
