"""Tests of ``ppnsim.analysis``."""
