"""Room ppnsim/hls/pragmas."""
