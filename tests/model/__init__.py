"""Tests of ``ppnsim.model``."""
