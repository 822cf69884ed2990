"""The FPGA roofline and its exploration beside the figures of their paper."""
