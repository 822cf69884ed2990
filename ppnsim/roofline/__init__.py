"""The hierarchical roofline of an FPGA accelerator; rates are per ns (1e9 per second), bandwidths GB/s, times ns.

Source: Siracusa et al., A Comprehensive Methodology to Optimize FPGA Designs via the Roofline Model, 2021.
"""
