"""Room ppnsim/opencl."""
