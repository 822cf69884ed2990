"""Room ppnsim/explore/fifo."""
