"""Tests of ``ppnsim.cli``."""
