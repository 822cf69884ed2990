"""Room ppnsim/opencl/files."""
