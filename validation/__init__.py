"""Printed figures of the sources beside ours, each with its verdict: ``python -m validation``."""
