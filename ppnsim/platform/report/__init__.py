"""Room ppnsim/platform/report."""
