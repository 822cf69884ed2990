"""Tests of ``ppnsim.plots``."""
