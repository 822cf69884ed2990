"""DRAM: configuration, bank queue, traffic, laws, curves."""
