"""Counting one execution: as source to compile, and as a function for the walk in Python.

Both record begin and end of the execution, the next possible start of its process, and the latest start and end of all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ppnsim.derive.estimate.walk.activity import ABSOLUTE, FULL, UNBOUNDED
from ppnsim.derive.estimate.walk.text import indented

SPILL_COST = 64  # budget that an overflow uses up, so that a call has no more of them than it has room for

COUNTED = ("state", "low_a", "spill_a", "low_u", "spill_u")  # what a walk counts in, absolute and unbounded
_STEP = ("run", *COUNTED, "n", "a", "u", "begin", "end", "ii", "stages")
_CALL = re.compile(r"^( *)left -= step\((.*)\)$", re.MULTILINE)
_WRITTEN_OUT = 32  # statements: compiling takes longer than in proportion


def compiled(source: str) -> str:
    """Return a source to compile; a few executions are written inline, many are calls."""
    if len(_CALL.findall(source)) > _WRITTEN_OUT:
        step = [f"def step({', '.join(_STEP)}):", *indented(["left = 0", *_step(_STEP), "return -left"])]
        return "\n".join(step) + "\n\n\n" + source
    return _CALL.sub(lambda f: "\n".join(f[1] + line for line in _step(f[2].split(", "))), source)


def _step(arguments: Sequence[str]) -> list[str]:
    """Return the lines that count one execution: its activity, the state of its statement, the latest times."""
    run, state, low_a, spill_a, low_u, spill_u, n, a, u, begin, end, ii, stages = arguments
    return [
        *_count(low_a, spill_a, FULL[ABSOLUTE], f"{a} + {begin}", 1),
        *_count(low_a, spill_a, FULL[ABSOLUTE], f"{a} + {end}", -1),
        *_count(low_u, spill_u, FULL[UNBOUNDED], f"{u} + {begin}", 1),
        *_count(low_u, spill_u, FULL[UNBOUNDED], f"{u} + {end}", -1),
        f"if {state}[{n} + 1] == 0:",
        f"    {state}[{n} + 2] = {a}",
        f"{state}[{n} + 1] += 1",
        f"{state}[{n}] = {a} + {ii}",
        f"{run}[2] = max({run}[2], {a})",
        f"{run}[3] = max({run}[3], {u} + {stages})",
    ]


def _count(low: str, spill: str, most: int, at: str, by: int) -> list[str]:
    full, cycle = (f">= {most}", "y") if by == 1 else (f"<= -{most}", "~y")
    return [
        f"y = {at}",
        f"if y < len({low}):",
        f"    z = {low}[y] + {by}",
        f"    if z {full}:",
        f"        {spill}[0] += 1",
        f"        {spill}[{spill}[0]] = {cycle}",
        f"        left -= {SPILL_COST}",
        "        z = 0",
        f"    {low}[y] = z",
    ]


def step(run: Any, state: Any, low_a: Any, _a: None, low_u: Any, _u: None, n: int, a: int, u: int, *cycles: int) -> int:
    """Count one execution in tables, for the kernel in Python; compiled kernels use the lines of `_step`."""
    begin, end, ii, stages = cycles
    low_a[a + begin] += 1
    low_a[a + end] -= 1
    low_u[u + begin] += 1
    low_u[u + end] -= 1
    if not state[n + 1]:
        state[n + 2] = a
    state[n + 1] += 1
    state[n] = a + ii
    if a > run[2]:
        run[2] = a
    if u + stages > run[3]:
        run[3] = u + stages
    return 0
