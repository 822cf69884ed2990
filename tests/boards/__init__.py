"""Tests of ``ppnsim.boards``."""
