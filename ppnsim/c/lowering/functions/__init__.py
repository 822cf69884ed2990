"""Lowers calls: the body replaces the call, or the call is a statement that reads and writes its arguments."""
