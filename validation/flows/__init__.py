"""Room validation/flows."""
