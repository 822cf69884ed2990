"""Python source that walks a loop nest in program order, and can pause in any iteration and continue there.

A compiled kernel does not see Ctrl-C and cannot grow an array, so it must return from time to time. Every iteration of
every loop therefore uses up budget. When the budget is gone (or ``top`` has passed ``limit``), each loop stores its
position, and the next call continues there.

Numbers of the program (bounds, strides, latencies) are passed as ``consts``. The same nest with another size has the
same source and is not compiled again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ppnsim.derive.estimate.walk.text import affine_text, condition_text, indented, when
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, Not
from ppnsim.loops.program import Access, Array, Execution, Guard, Loop, Node, Statement

_DEEPEST = 18  # Python nests at most 20 loops
_LARGEST = 2**62
PAUSED, OUTSIDE = 1, 2  # what ``walk`` returns: 0 at the end, PAUSED, or OUTSIDE + a number in ``accesses``
LOOP_FIELDS = 4  # of ``loops``, each: entries, iterations in all, fewest and most of one entry


@dataclass(frozen=True, slots=True)
class WhenAny:
    """Nodes that execute only if a statement has executed; its count is at one of these places of ``state``."""

    executions: tuple[int, ...]
    body: tuple[Node, ...]


@dataclass
class NestSource:
    """Makes the source; ``statement`` returns the lines of one statement.

    Attributes
    ----------
    consts : the numbers to pass.
    loops : the loops of the source in order, with four counters each (see `LOOP_FIELDS`).
    around : numbers of the loops around each statement, outermost first.
    accesses : meaning of the numbers from OUTSIDE on: a statement, its accesses, and the loops around it.
    """

    arrays: Mapping[str, Array]
    statement: Callable[[Statement], list[str]]
    consts: list[int] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    around: dict[str, tuple[int, ...]] = field(default_factory=dict)
    accesses: list[tuple[Statement, tuple[Access, ...], tuple[int, ...]]] = field(default_factory=list)
    _stack: list[int] = field(default_factory=list)

    def function(self, nodes: Sequence[Node | WhenAny], parameters: Sequence[str]) -> str:
        """Return the source of ``walk(at, consts, loops, run, *parameters)``."""
        body = self._body(nodes, 0)
        return "\n".join(
            [
                f"def walk({', '.join(['at', 'consts', 'loops', 'run', *parameters])}):",
                *indented(["resume = at[0]", "paused = 0", "left = run[0]", "limit = run[1]"]),
                *indented([f"c{k} = consts[{k}]" for k in range(len(self.consts))]),
                "    while True:",
                *indented(indented([*body, "break"])),
                *indented(["if paused == 0:", "    at[0] = 0", "return paused", ""]),
            ]
        )

    def number(self, value: int) -> str:
        """Return the name under which a number of the program is passed."""
        if abs(value) >= _LARGEST:
            raise InputError(f"{value} is too large a number for an estimate (64 bits)")
        self.consts.append(value)
        return f"c{len(self.consts) - 1}"

    def affine(self, expression: Affine) -> str:
        """Return the text of an expression over the iterators of the loops around."""
        return affine_text(expression, self._names(), self.number)

    def _names(self) -> dict[str, str]:
        return {self.loops[loop].iterator: f"v{level}" for level, loop in enumerate(self._stack)}

    def indices(self, statement: Statement, names: Mapping[Access, str]) -> list[str]:
        """Return lines that check all subscripts and set each name to the row-major number of an element."""
        lines: list[str] = []
        checks: list[str] = []
        for access, name in names.items():
            shape = self.arrays[access.array].shape
            if len(shape) != len(access.subscripts):
                problem = f"'{access}' has {len(access.subscripts)} subscripts, its array {len(shape)} dimensions"
                raise InputError(problem, where=f"{statement.position}: statement '{statement.name}'")
            place = "0"
            for dimension, (extent, subscript) in enumerate(zip(shape, access.subscripts, strict=True)):
                size, x = self.number(extent), f"x{len(checks)}"
                lines.append(f"{x} = {self.affine(subscript)}")
                checks.append(f"({x} >= 0) & ({x} < {size})")  # no `and`: branches are slow to compile
                place = f"({place}) * {size} + {x}" if dimension else x
            lines.append(f"{name} = {place}")
        if checks:
            outside = [f"paused = {OUTSIDE + len(self.accesses)}", f"at[0] = {len(self._stack)}", "break"]
            lines += when(f"not ({' & '.join(checks)})", outside)
            self.accesses.append((statement, tuple(names), tuple(self._stack)))
        return lines

    def _body(self, nodes: Sequence[Node | WhenAny], level: int) -> list[str]:
        """Return the lines of a loop's body; ``r`` is the child to continue with after a pause, else 0."""
        last = _last_loop(nodes, 0)[0]
        lines, _ = self._children(nodes, level, 0, last)
        if lines and last >= 0:
            lines.insert(0, f"r{level} = at[{1 + 2 * level}] if resume > {level} else 0")
        return lines

    def _children(self, nodes: Sequence[Node | WhenAny], level: int, child: int, last: int) -> tuple[list[str], int]:
        lines: list[str] = []
        for node in nodes:
            if isinstance(node, Guard):
                body, child = self._children(node.body, level, child, last)
                otherwise, child = self._children(node.otherwise, level, child, last)
                lines += when(condition_text(node.condition, self._names(), self.number), body)
                lines += when(condition_text(Not(node.condition), self._names(), self.number), otherwise)
            elif isinstance(node, WhenAny):
                body, child = self._children(node.body, level, child, last)
                lines += when(" or ".join(f"state[{place}] > 0" for place in node.executions), body)
            else:
                if isinstance(node, Loop):
                    these = self._loop(node, level, child)
                else:
                    self.around[node.statement.name] = tuple(self._stack)
                    these = self.statement(node.statement)
                lines += when(f"r{level} <= {child}", these) if child < last else these
                child += 1
        return lines, child

    def _loop(self, loop: Loop, level: int, child: int) -> list[str]:
        if level >= _DEEPEST:
            raise InputError(f"more than {_DEEPEST} loops around one statement", where=str(loop.position))
        up, number, step = loop.step > 0, len(self.loops), self.number(loop.step)
        outer, inner = ("max", "min") if up else ("min", "max")
        first, last = self._extreme(outer, loop.first), self._extreme(inner, loop.last)
        self.loops.append(loop)
        self._stack.append(number)
        body = self._body(loop.body, level + 1)
        self._stack.pop()
        v, e, place = f"v{level}", f"e{level}", 1 + 2 * level
        if not body:
            return []
        start = [
            f"{v} = {first}",
            f"trips = max(0, ({e} - {v}) // {step} + 1)",
            f"loops[{4 * number}] += 1",
            f"loops[{4 * number + 1}] += trips",
            f"loops[{4 * number + 2}] = min(loops[{4 * number + 2}], trips)",
            f"loops[{4 * number + 3}] = max(loops[{4 * number + 3}], trips)",
        ]
        again = [f"{v} = at[{place + 1}]", f"if resume == {level + 1}:", "    resume = 0"]
        pause = ["left -= 1", *when("left < 0 or run[2] > limit", ["paused = 1", f"at[0] = {level + 1}", "break"])]
        return [
            f"{e} = {last}",
            f"if resume > {level} and r{level} == {child}:",
            *indented(again),
            "else:",
            *indented(start),
            f"while {v} {'<=' if up else '>='} {e}:",
            *indented([*pause, *body, f"{v} += {step}"]),
            "if paused != 0:",
            *indented([f"at[{place}] = {child}", f"at[{place + 1}] = {v}", "break"]),
        ]

    def _extreme(self, function: str, bounds: Sequence[Affine]) -> str:
        texts = [self.affine(bound) for bound in bounds]
        return texts[0] if len(texts) == 1 else f"{function}({', '.join(texts)})"


def _last_loop(nodes: Sequence[Node | WhenAny], child: int) -> tuple[int, int]:
    """Return the number of the last loop among the children of a body (-1 without loops), and their count."""
    last = -1
    for node in nodes:
        if isinstance(node, Execution | Loop):
            last = child if isinstance(node, Loop) else last
            child += 1
            continue
        for part in (node.body, node.otherwise) if isinstance(node, Guard) else (node.body,):
            found, child = _last_loop(part, child)
            last = max(last, found)
    return last, child
