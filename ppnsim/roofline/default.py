"""What is taken for the accelerator of a C source, known without importing what reads one."""

from typing import Literal

MEMORY, QUANTA = "AWS-F1", 64
"""What nobody says: preset of the memory, bytes per cycle of every port; device and clock are those of all commands."""

Metric = Literal["auto", "operations", "flops", "results"]
"""What performance counts."""
