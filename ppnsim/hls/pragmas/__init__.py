"""``#pragma HLS``: a reader for the pragmas of a source, and the directives that they become."""
