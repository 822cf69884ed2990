"""OpenCL C to the hierarchy of a kernel: what `opencl_toml` reads from a file that somebody wrote by hand."""
