"""Tests of ``ppnsim.formats``."""
