"""Section timing."""
