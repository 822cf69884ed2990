"""A comparison of designs of a kernel: where their cycles go, and how the cycles grow with its sizes (section 4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ppnsim.analysis.lost_cycles import CycleSplit
from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import Library
from ppnsim.hls.loop_names import labels_of
from ppnsim.hls.lost.model import LostCycleModel, learn
from ppnsim.hls.lost.split import schedule_split
from ppnsim.hls.pragmas.directives import Directives, LoopDirective, Scope, all_loops, direct_loops, scope_of
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.loops.program import LoopProgram

AUTO, NONE = "auto", "none"
POWERS = (4, 8, 16, 32, 64, 128, 256)
"""Sizes to learn from for powers of two: their addresses are cheaper, so formulas of other sizes do not hold."""
GENERAL: tuple[int, ...] = (21, 22, 23, 25, 26, 27, 29)
"""Sizes to learn from. None is a sum or difference of two powers of two, whose addresses are cheaper."""
MOST_COPIES = 1_000_000
"""Largest factor of an unrolled loop; a factor beyond the trip count unrolls the loop completely."""
_ACTION = re.compile(r"(?P<kind>pipeline|unroll)\s+(?P<loop>\w+)(\s*=\s*(?P<factor>\d+))?", re.ASCII)
Program = Callable[[Mapping[str, int]], tuple[LoopProgram, Directives]]
"""The kernel for some sizes, and the directives in its source."""
_LARGE = replace(TOOL, tables=False)  # small sizes stand for large ones


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopDesign:
    """The directives on a kernel's loops: ``auto`` as in its source, ``none``, or one loop pipelined or unrolled.

    ``loop`` is a label, an iterator or the line in which a loop begins; ``factor`` 0 unrolls it completely.
    """

    kind: str = AUTO
    loop: str = ""
    factor: int = 0

    @staticmethod
    def read(text: str) -> LoopDesign:
        """Return the design that a text names: ``auto``, ``none``, ``pipeline j`` or ``unroll k=2``.

        Raises
        ------
        InputError
            If the text is none of these.

        Examples
        --------
        >>> LoopDesign.read("unroll k=2")
        LoopDesign(kind='unroll', loop='k', factor=2)
        """
        words = text.strip()
        if words in (AUTO, NONE):
            return LoopDesign(kind=words)
        found = _ACTION.fullmatch(words)
        factor = int(found["factor"] or 0) if found else 0
        if found is None or (found["factor"] and (found["kind"] == "pipeline" or not 2 <= factor <= MOST_COPIES)):
            rule = f"auto, none, 'pipeline LOOP' or 'unroll LOOP=FACTOR' with a factor from 2 to {MOST_COPIES}"
            raise InputError(f"'{text}' is not a design ({rule})", where="--design")
        return LoopDesign(kind=found["kind"], loop=found["loop"], factor=factor)

    def __str__(self) -> str:
        return self.kind + (f" {self.loop}" if self.loop else "") + (f"={self.factor}" if self.factor else "")

    def directives(self, program: LoopProgram, written: Directives) -> Directives:
        """Return the directives of this design; directives on arrays, operators and calls stay as written.

        Raises
        ------
        InputError
            If no loop, or more than one, has the name.
        """
        if self.kind == AUTO:
            return written
        innermost = (loop for loop in all_loops(program.body) if not direct_loops(loop.body))
        loops = {scope_of(loop): LoopDirective(pipeline=False) for loop in innermost}
        if self.kind != NONE:
            chosen = self._loop(program)
            pipeline = True if self.kind == "pipeline" else None if chosen not in loops else False
            loops[chosen] = LoopDirective(pipeline=pipeline, unroll=self.factor if self.kind == "unroll" else None)
        functions = {scope: replace(asked, pipeline=None, dataflow=False) for scope, asked in written.functions.items()}
        return replace(written, loops=loops, functions=functions)

    def _loop(self, program: LoopProgram) -> Scope:
        loops, known = list(all_loops(program.body)), labels_of(program)
        named = [(known.get((loop.iterator, loop.position.line), loop.iterator), loop) for loop in loops]
        fitting = [loop for name, loop in named if self.loop in (name, loop.iterator, str(loop.position.line))]
        if not fitting:
            names = [*(name for name, _ in named), *(loop.iterator for loop in loops)]
            there = ", ".join(f"{name} in line {loop.position.line}" for name, loop in named)
            words = f"no loop is called '{self.loop}'{did_you_mean(self.loop, names)} (there are {there})"
            raise InputError(words, where="--design")
        if len(fitting) > 1:
            lines = ", ".join(str(loop.position.line) for loop in fitting)
            raise InputError(f"loops in lines {lines} are called '{self.loop}': give the line", where="--design")
        return scope_of(fitting[0])


def is_power(size: int) -> bool:
    """Return whether a size is a power of two, from 2 on.

    Examples
    --------
    >>> [size for size in range(10) if is_power(size)]
    [2, 4, 8]
    """
    return size > 1 and size & (size - 1) == 0


def split_at(
    program: Program, library: Library, design: LoopDesign, sizes: Mapping[str, int], rules: Rules = TOOL
) -> CycleSplit:
    """Return where the cycles of a design go for some sizes of the kernel.

    Raises
    ------
    InputError
        If the kernel cannot be scheduled.
    """
    kernel, written = program(sizes)
    return schedule_split(schedule_kernel(kernel, library, design.directives(kernel, written), rules))


def learned(
    program: Program, library: Library, design: LoopDesign, names: Sequence[str], bounds: Sequence[int], *,
    report: Callable[[int], None] = lambda _: None,
) -> LostCycleModel:  # fmt: skip
    """Return formulas in the sizes of a kernel, from schedules of sizes in ``bounds``; ``report`` gets their number.

    The bounds are multiplied by the factor of an unrolled loop, so that there is no epilogue. Memories are block RAMs,
    as they are at larger sizes (R3.9).

    Raises
    ------
    InputError
        If no formula holds, for example because the tool decides otherwise for larger sizes.
    """
    seen: dict[tuple[int, ...], CycleSplit] = {}

    def observe(sizes: Mapping[str, int]) -> CycleSplit:
        key = tuple(sizes.values())
        if key not in seen:
            seen[key] = split_at(program, library, design, sizes, _LARGE)
            report(len(seen))
        return seen[key]

    return learn(observe, names, bounds=[bound * max(1, design.factor) for bound in bounds])
