"""Room validation/harness."""
