"""Room validation/polybench."""
