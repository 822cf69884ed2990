"""Room validation/loggp."""
