"""Symbolic values of scalars: integer expressions of the kernel's arguments that hold at a place of the program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ppnsim.errors import InputError
from ppnsim.hls.library.types import Format
from ppnsim.loops.expressions import Compare, Condition, Not
from ppnsim.loops.in_c import combined
from ppnsim.loops.polynomials import Polynomial, most
from ppnsim.loops.program import Execution, Loop, LoopProgram, Node, Operation, Statement
from ppnsim.loops.summed import ITERATOR, least

_WIDEST = 32
_ORDERS = ("<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class ProgramPoint:
    """A place in a program: its number in program order, and the numbers of the loops and branches around it."""

    number: int
    around: tuple[int, ...]


class Scalars:
    """The values of a program's scalars as expressions of the kernel's arguments, for any place of the program."""

    def __init__(self, program: LoopProgram) -> None:
        arguments = [each for each in program.arrays if each.role == "parameter" and not each.shape]
        written = Counter(each.symbol for each in arguments if each.symbol.isidentifier())
        self._arguments = {x.name: x.symbol if written[x.symbol] == 1 else x.name for x in arguments}
        self._written: dict[str, list[tuple[ProgramPoint, Statement | None]]] = {}
        self._names = {each.name for each in program.arrays}
        self._loops: dict[int, tuple[Loop, ProgramPoint]] = {}  # by the number of a loop
        self._branches: dict[int, tuple[Condition, ProgramPoint, list[ProgramPoint]]] = {}  # by the number of a side
        self._numbers: dict[int, int] = {}
        self._count = 0
        self._note(program.body, ())

    def _note(self, nodes: Sequence[Node], around: tuple[int, ...]) -> None:
        for node in nodes:
            self._count += 1
            place = ProgramPoint(self._count, around)
            if isinstance(node, Execution):
                for access in node.statement.writes:
                    self._written.setdefault(access.array, []).append((place, node.statement))
            elif isinstance(node, Loop):
                self._loops[place.number] = node, place
                self._numbers[id(node)] = place.number
                self._note(node.body, (*around, place.number))
                if node.leaves:
                    self._written.setdefault(node.leaves, []).append((ProgramPoint(self._count, around), None))
            else:
                ends = []
                for side in (node.body, node.otherwise):
                    self._count += 1
                    inside = (*around, self._count)
                    self._note(side, inside)
                    self._count += 1
                    ends.append(ProgramPoint(self._count, inside))
                for each in ends:
                    self._branches[each.around[-1]] = node.condition, place, ends

    @property
    def counted(self) -> bool:
        """Whether a loop of the program has a trip count that depends on scalars."""
        return any(loop.runs is not None for loop, _ in self._loops.values())

    def before(self, loop: Loop) -> ProgramPoint:
        """Return the place of a loop of the program."""
        return self._loops[self._numbers[id(loop)]][1]

    def of(self, name: str, at: ProgramPoint) -> Polynomial | None:
        """Return the value of a scalar at a place; None if it has several values, or a value without an expression.

        The value is the last assigned value, if only that assignment reaches the place; an argument without assignments
        has the value of the call. In a loop the value may be an iterator of an enclosing loop (`ITERATOR`).
        """
        whole = name if name in self._names else name.partition(".")[0]
        changes = self._written.get(whole, [])
        last = self._last(whole, at)
        held = last[0].around if last is not None else ()
        common = sum(1 for _ in takewhile(lambda ends: ends[0] == ends[1], zip(held, at.around, strict=False)))
        again = self._loops.keys() & {*at.around[common:]}
        if any(again & {*place.around} for place, _ in changes if not self._reaches(place, at)):
            return None  # an earlier iteration may have set it
        if common < len(held):
            return self._of_branches(name, *self._branches[held[common]]) if held[common] in self._branches else None
        if last is not None:
            place, statement = last
            if statement is None or statement.value is None or statement.member or name != whole:
                return None
            return self._value(statement.value, statement, place)
        return Polynomial.of(self._arguments[name] if name == whole else name) if whole in self._arguments else None

    def _of_branches(
        self, name: str, condition: Condition, at: ProgramPoint, ends: Sequence[ProgramPoint]
    ) -> Polynomial | None:  # fmt: skip
        """Return the value of a scalar after an ``if`` that sets it: one value, or the minimum or maximum of two."""
        yes, no = (self.of(name, each) for each in ends)
        if yes is None or no is None:
            return None
        if yes == no:
            return yes
        if isinstance(condition, Not):
            condition, yes, no = condition.part, no, yes
        if not isinstance(condition, Compare) or condition.relation != "=" or len(condition.left.terms) != 1:
            return None
        ((flag, _),) = condition.left.terms  # flag = 0: the test is false
        test = self._last(flag, at) if isinstance(flag, str) and not condition.left.constant else None
        if test is None or test[1] is None or test[1].value is None or test[1].value.kind not in _ORDERS:
            return None
        one, two = (self._value(each, test[1], test[0]) for each in test[1].value.operands)
        if {one, two} != {yes, no} or one is None or two is None:
            return None
        return least(one, two) if (test[1].value.kind[0] == "<") == (one == no) else most(one, two)

    def _last(self, name: str, at: ProgramPoint) -> tuple[ProgramPoint, Statement | None] | None:
        """Return the last assignment of a scalar before a place, None if there is none."""
        changes = reversed(self._written.get(name, []))
        return next((each for each in changes if self._reaches(each[0], at)), None)

    def _reaches(self, place: ProgramPoint, at: ProgramPoint) -> bool:
        """Return whether a place comes before another place, and is not on the other side of a branch around that."""
        others = {end.around[-1] for each in at.around if each in self._branches for end in self._branches[each][2]}
        return place.number < at.number and not (others - {*at.around}) & {*place.around}

    def _value(self, tree: Operation, statement: Statement, at: ProgramPoint) -> Polynomial | None:
        if not _is_whole(tree):
            return None
        if tree.kind == "constant":
            return Polynomial.of(int(tree.text)) if tree.text.lstrip("-").isdecimal() else None
        if tree.kind == "iterator":
            if tree.values is not None:  # the iterator counts from 0, and the variable has another value
                return self._value(tree.values, statement, at)
            return Polynomial.of(ITERATOR + tree.text)
        if tree.kind == "read" and tree.read is not None:
            access = statement.reads[tree.read]
            return None if access.subscripts or access.random else self.of(access.array, at)
        which, operands = _of_two(tree, statement)
        found = [self._value(each, statement, at) for each in operands]
        values = [each for each in found if each is not None]
        if len(values) < len(found) or not values:
            return None
        if which is not None:
            return which(*values)
        if tree.kind in ("cast", "+x"):
            return values[0] if Format.of(tree.type).signed or values[0].never_negative else None
        return (
            combined(tree.kind, values[0], values[1], signed=Format.of(tree.type).signed) if len(values) == 2 else None
        )


def _of_two(tree: Operation, statement: Statement) -> tuple[Callable[..., Polynomial] | None, Sequence[Operation]]:
    """Return ``min`` or ``max`` with its operands, also for ``a < b ? a : b``; else None with all operands."""
    if tree.kind == "call" and tree.text.rpartition("::")[2] in ("min", "max"):
        return (least if tree.text.endswith("min") else most), tree.operands
    if tree.kind != "?:" or tree.operands[0].kind not in _ORDERS:
        return None, tree.operands
    test, yes, no = tree.operands
    one, two, kept, other = (_plain(each, statement) for each in (*test.operands, yes, no))
    if {kept, other} != {one, two}:
        return None, tree.operands
    return (least if (test.kind[0] == "<") == (one == kept) else most), (yes, no)


def _plain(tree: Operation, statement: Statement) -> str:
    """Return an expression as a text; equal texts mean equal values."""
    what = tree.type if tree.kind == "cast" else "" if tree.read is None else str(statement.reads[tree.read])
    return f"{tree.kind} {tree.text} {what} ({' '.join(_plain(each, statement) for each in tree.operands)})"


def _is_whole(tree: Operation) -> bool:
    """Return whether an expression has an integer type that can hold any trip count of practical size."""
    try:
        of = Format.of(tree.type)
    except InputError:
        return False
    return not of.real and not of.fraction and (of.bits >= _WIDEST or tree.kind in ("constant", "read", "iterator"))
