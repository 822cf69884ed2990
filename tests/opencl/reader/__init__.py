"""Tests of ``ppnsim.opencl.reader``."""
