"""``#pragma HLS``: reading it, and the directives that it gives."""
