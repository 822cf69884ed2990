"""Designs that are executed with their testbench."""
