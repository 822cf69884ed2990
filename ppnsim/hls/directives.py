"""What ``#pragma HLS`` says of loops and arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.affine.program import Loop


@dataclass(frozen=True, slots=True)
class LoopDirective:
    """What is asked of a loop; None where nothing is said. ``unroll`` 0 is complete."""

    pipeline: bool | None = None
    ii: int = 1
    unroll: int | None = None
    flatten: bool | None = None


@dataclass(frozen=True, slots=True)
class Directives:
    """All directives of a kernel; loops by their line."""

    loops: dict[int, LoopDirective] = field(default_factory=dict)

    def of(self, loop: Loop) -> LoopDirective:
        """Return what is asked of a loop."""
        return self.loops.get(loop.position.line, LoopDirective())

    def pipelined_inside(self, loop: Loop) -> bool:
        """Return whether a loop inside it shall be pipelined, so that it stays a loop."""
        for node in loop.body:
            if isinstance(node, Loop) and (self.of(node).pipeline is not None or self.pipelined_inside(node)):
                return True
        return False
