"""OpenCL C to the hierarchy of a kernel."""
