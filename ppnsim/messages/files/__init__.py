"""Room ppnsim/messages/files."""
