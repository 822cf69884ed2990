"""Section polybench."""
