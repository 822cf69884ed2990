"""OpenCL kernels in TOML."""
