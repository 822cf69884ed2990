"""Room ppnsim/opencl/reader."""
