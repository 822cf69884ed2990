"""What is taken for the accelerator of a C source, known without importing what reads one."""

from typing import Literal

CLOCK, MEMORY, QUANTA = "200 MHz", "AWS-F1", 64
"""What nobody says: clock, preset of the memory, bytes per cycle of every port."""

Metric = Literal["auto", "operations", "flops", "results"]
"""What performance counts."""
