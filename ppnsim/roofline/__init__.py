"""The hierarchical roofline of an FPGA accelerator."""
