"""Tests of ``ppnsim.explore``."""
