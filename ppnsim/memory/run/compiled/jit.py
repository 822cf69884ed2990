"""How the kernels of the bank queue are compiled."""

from __future__ import annotations

from pathlib import Path

from ppnsim.engines.compiled.jit import kernels, state_of

SOURCES = ("commands", "jit", "queue", "state")
STATE = state_of(Path(__file__).parent, SOURCES)
kernel = kernels(STATE)
