"""Room ppnsim/messages/run."""
