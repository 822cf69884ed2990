"""Room ppnsim/memory/compiled."""
