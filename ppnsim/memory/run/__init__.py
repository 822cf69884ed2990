"""Traffic on a DRAM system, run to the clock: the bank queue in SimPy, and the same compiled."""
