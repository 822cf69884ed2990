"""Room tests/opencl."""
