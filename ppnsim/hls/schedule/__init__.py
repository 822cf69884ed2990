"""Room ppnsim/hls/schedule."""
