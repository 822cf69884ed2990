"""Section loggp."""
