"""Tests of ``ppnsim.engines``."""
