"""Room ppnsim/hls/structure."""
