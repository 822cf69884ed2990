"""Tests of ``ppnsim.placed``."""
