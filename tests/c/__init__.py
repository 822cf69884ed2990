"""Tests of ``ppnsim.c``."""
