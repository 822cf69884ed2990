"""Room ppnsim/hls/dataflow."""
