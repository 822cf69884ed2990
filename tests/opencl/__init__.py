"""Tests of ``ppnsim.opencl``."""
