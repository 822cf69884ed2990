"""Oracles run without end: ``python -m tests.fuzz networks|c|size|hls --seconds N --seed S``."""
