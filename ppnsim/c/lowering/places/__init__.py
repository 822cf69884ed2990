"""Which element of which array an expression names."""
