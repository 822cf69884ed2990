"""Tests of ``ppnsim.messages``."""
