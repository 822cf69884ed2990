"""Room tests/derive."""
