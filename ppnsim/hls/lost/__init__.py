"""Room ppnsim/hls/lost."""
