"""Room tests/roofline."""
