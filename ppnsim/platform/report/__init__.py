"""Platforms, predictions and runs as JSON and as tables."""
