"""Turns of calls: which module a call takes where a directive allows a function few modules (R6.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.hls.pragmas.directives import Modules, Scope, scope_of
from ppnsim.hls.structure.unrolling import path_of
from ppnsim.loops.program import Loop

_Path = tuple[str, ...]


@dataclass(slots=True)
class Turns:
    """The calls of one region, which take the modules of their function in turn.

    Unrolling copies a call with its path: a loop that comes again belongs to the next copy.
    """

    modules: Mapping[_Path, Modules]
    calls: Counter[str] = field(default_factory=Counter)
    current: dict[_Path, tuple[int, set[Scope]]] = field(default_factory=dict)

    def of(self, loop: Loop) -> set[str]:
        """Return the modules that a pipelined loop occupies, and let its call begin if it is the first of its loops."""
        path, scope, found = path_of(loop) if self.modules else (), scope_of(loop), set[str]()
        for call, of in self.modules.items():
            if path[: len(call)] != call:
                continue
            number, seen = self.current.get(call, (0, set[Scope]()))
            if call not in self.current or scope in seen:
                number, seen = self.calls[of.function], set()
                self.calls[of.function] += 1
            self.current[call] = number, seen | {scope}
            found.add(f"{of.function} {number % of.most}")
        return found
