"""Room tests/hls."""
