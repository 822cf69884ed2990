"""Room ppnsim/hls/graph."""
