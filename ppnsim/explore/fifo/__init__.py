"""The smallest FIFOs, with proof."""
