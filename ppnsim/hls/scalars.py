"""Scalars of a program that are whole-number expressions of the kernel's arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ppnsim.errors import InputError
from ppnsim.hls.library.types import Format
from ppnsim.loops.in_c import combined
from ppnsim.loops.polynomials import Polynomial, most
from ppnsim.loops.program import Loop, LoopProgram, Operation, Statement
from ppnsim.loops.summed import ITERATOR, least

_WIDEST = 32


class Scalars:
    """What scalars are by the arguments that the kernel never assigns."""

    def __init__(self, program: LoopProgram) -> None:
        arguments = [each for each in program.arrays if each.role == "parameter" and not each.shape]
        written = Counter(each.symbol for each in arguments if each.symbol.isidentifier())
        self._arguments = {x.name: x.symbol if written[x.symbol] == 1 else x.name for x in arguments}
        self._written: dict[str, list[Statement | None]] = {}
        read = set[str]()
        for statement, around, _ in program.placed():
            read |= {access.array for access in statement.reads}
            read.update(*(part.runs.names for part in around if isinstance(part, Loop) and part.runs))
            for access in statement.writes:
                # What is read before has another value than behind, and so has what only a branch sets.
                late = access.array in read or not all(isinstance(part, Loop) for part in around)
                self._written.setdefault(access.array, []).append(None if late else statement)

    def of(self, name: str) -> Polynomial | None:
        """Return the value of a scalar, None if it has several, or one that is no such expression.

        An argument has the value that it is given; a variable the one that is assigned once, in no branch. In a loop
        that value may be one of the iterators around (`ITERATOR`).
        """
        whole, dot, _ = name.partition(".")
        if dot and whole in self._arguments:
            return None if self._written.get(whole) else Polynomial.of(name)
        written = self._written.get(name, [])
        if not written:
            return Polynomial.of(self._arguments[name]) if name in self._arguments else None
        once = written[0] if len(written) == 1 and name not in self._arguments else None
        if once is None or once.value is None or once.member or any(each.array == name for each in once.reads):
            return None
        return self._value(once.value, once)

    def _value(self, tree: Operation, statement: Statement) -> Polynomial | None:
        if not _is_whole(tree):
            return None
        if tree.kind == "constant":
            return Polynomial.of(int(tree.text)) if tree.text.lstrip("-").isdecimal() else None
        if tree.kind == "iterator":
            return Polynomial.of(ITERATOR + tree.text)
        if tree.kind == "read" and tree.read is not None:
            access = statement.reads[tree.read]
            return None if access.subscripts or access.random else self.of(access.array)
        which, operands = _of_two(tree, statement)
        found = [self._value(each, statement) for each in operands]
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
    """Return ``min`` or ``max`` with its operands, also of a choice, ``a < b ? a : b``; None with those of others."""
    if tree.kind == "call" and tree.text.rpartition("::")[2] in ("min", "max"):
        return (least if tree.text.endswith("min") else most), tree.operands
    if tree.kind != "?:" or tree.operands[0].kind not in ("<", "<=", ">", ">="):
        return None, tree.operands
    test, yes, no = tree.operands
    one, two, kept, other = (_plain(each, statement) for each in (*test.operands, yes, no))
    if {kept, other} != {one, two}:
        return None, tree.operands
    return (least if (test.kind[0] == "<") == (one == kept) else most), (yes, no)


def _plain(tree: Operation, statement: Statement) -> str:
    """Return an expression as a text that is the same for the same values."""
    what = tree.type if tree.kind == "cast" else "" if tree.read is None else str(statement.reads[tree.read])
    return f"{tree.kind} {tree.text} {what} ({' '.join(_plain(each, statement) for each in tree.operands)})"


def _is_whole(tree: Operation) -> bool:
    """Return whether an expression has a type that holds every number of iterations that is worth counting."""
    try:
        of = Format.of(tree.type)
    except InputError:
        return False
    return not of.real and not of.fraction and (of.bits >= _WIDEST or tree.kind in ("constant", "read", "iterator"))
