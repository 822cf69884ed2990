"""Tests of ``ppnsim.platform``."""
