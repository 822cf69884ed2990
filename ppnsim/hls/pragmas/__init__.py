"""``#pragma HLS``: what it says, and what it means."""
