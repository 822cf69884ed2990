"""How the kernels of the bank queue are compiled."""

from __future__ import annotations

from pathlib import Path

from ppnsim.engines.compiled.jit import kernels

kernel = kernels(*(Path(__file__).with_name(f"{name}.py") for name in ("commands", "queue", "state")))
