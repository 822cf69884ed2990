"""Room ppnsim/messages."""
