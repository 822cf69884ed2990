"""OpenCL kernels: hierarchy, prediction, tuning, execution."""
