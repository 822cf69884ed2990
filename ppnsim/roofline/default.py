"""What is taken for the accelerator of a C source, known without importing what reads one."""

from typing import Literal

DEVICE, CLOCK, MEMORY, QUANTA = "xcvu9p", "200 MHz", "AWS-F1", 64
"""What nobody says: device, clock, preset of the memory, bytes per cycle of every port."""

Metric = Literal["auto", "operations", "flops", "results"]
"""What performance counts."""
