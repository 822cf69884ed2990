"""Room validation/dram."""
