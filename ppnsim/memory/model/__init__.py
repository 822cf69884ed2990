"""DRAM systems and their traffic: configuration, timing, presets."""
