"""Section dram."""
