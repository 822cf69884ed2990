"""Reports of a vendor's HLS tool: a reader, and the match between reported loops and loops of the source."""
