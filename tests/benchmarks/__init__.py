"""Speed, measured on request: ``pytest tests/benchmarks``; ratios within one run, never asserted on a clock."""
