"""The OpenCL performance framework: its equations by hand, its quoted figures, and kernels executed."""
