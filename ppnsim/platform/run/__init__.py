"""Room ppnsim/platform/run."""
