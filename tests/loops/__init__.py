"""Tests of ``ppnsim.loops``."""
