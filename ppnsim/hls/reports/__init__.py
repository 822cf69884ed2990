"""Loops as a vendor's tool synthesised them: its reports, read and matched to the source."""
