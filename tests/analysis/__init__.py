"""Room tests/analysis."""
