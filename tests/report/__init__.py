"""Tests of ``ppnsim.report``."""
