"""Room ppnsim/memory."""
