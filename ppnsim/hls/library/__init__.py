"""Operator libraries: the latency, delay and area of each operator on a device."""
