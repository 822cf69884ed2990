"""Room validation/timing."""
