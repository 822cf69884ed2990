"""Tests of ``ppnsim.memory``."""
