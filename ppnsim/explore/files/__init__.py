"""Memory blocks that FIFOs are made of, in files."""
