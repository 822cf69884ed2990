"""Room ppnsim/hls/library."""
