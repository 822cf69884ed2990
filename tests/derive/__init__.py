"""Tests of ``ppnsim.derive``."""
