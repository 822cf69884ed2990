"""Graphs scheduled, and the state machine around them."""
