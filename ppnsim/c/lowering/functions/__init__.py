"""Calls: the body of the called function in its place, or a statement that reads and writes its arguments."""
