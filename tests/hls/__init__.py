"""Tests of ``ppnsim.hls``."""
