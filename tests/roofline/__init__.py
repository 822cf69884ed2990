"""Tests of ``ppnsim.roofline``."""
