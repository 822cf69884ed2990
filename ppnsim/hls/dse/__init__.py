"""Room ppnsim/hls/dse."""
