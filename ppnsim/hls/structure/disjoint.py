"""Sums of terms without common bits: the compiler front end turns them into bitwise or (R1.1)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ppnsim.errors import InputError
from ppnsim.hls.library.types import Format
from ppnsim.hls.structure.numerals import whole
from ppnsim.loops.program import Access, Operation, Statement


def joined(total: Operation) -> Operation | None:
    """Return ``high << n | low`` for ``(high << n) + low`` with ``low`` of n bits; None for other sums.

    Examples
    --------
    >>> high, low = Operation("iterator", "int", text="h"), Operation("iterator", "unsigned char", text="l")
    >>> shifted = Operation("<<", "int", (high, Operation("constant", "int", text="8")))
    >>> found = joined(Operation("+", "int", (Operation("cast", "int", (low,)), shifted)))
    >>> None if found is None else found.kind
    '|'
    """
    left, right = total.operands
    for high, low in ((left, right), (right, left)):
        if (zeros := _zeros(high)) and 0 < (_bits(low) or 0) <= zeros:
            return replace(total, kind="|")
    return None


@dataclass(slots=True)
class ZeroBits:
    """How many of the lowest bits of variables and elements are 0, by the statements of an iteration so far."""

    known: dict[Access, int] = field(default_factory=dict)

    def joined(self, statement: Statement) -> Statement:
        """Return a statement in which a variable without common bits is joined with a number: ``x = 2 * a; x + 1``."""
        tree = statement.value
        if not self.known or tree is None or tree.kind != "+" or len(tree.operands) != 2:
            return statement
        for high, low in (tree.operands, tree.operands[::-1]):
            zeros = 0 if high.read is None else self.known.get(statement.reads[high.read], 0)
            if 0 < (whole(low) or 0) < 1 << zeros:
                return replace(statement, value=replace(tree, kind="|"))
        return statement

    def note(self, statement: Statement, *, always: bool, whole_numbers: bool) -> None:
        """Note what a statement has written, ``always`` or under a condition."""
        written = {each.array for each in statement.writes}
        if written & {each.array for each in self.known}:
            self.known = {each: zeros for each, zeros in self.known.items() if each.array not in written}
        target, zeros = statement.writes[0], _zeros(statement.value) if statement.value is not None else 0
        if zeros and always and whole_numbers and not target.random and not statement.member:
            self.known[target] = zeros


def _zeros(tree: Operation) -> int:
    """Return how many of the lowest bits of an integer are 0, as far as its last operator shows."""
    if tree.kind not in ("<<", "*", "|") or _format(tree) is None:
        return 0
    if tree.kind == "|":
        return min(map(_zeros, tree.operands))
    if tree.kind == "<<":
        return whole(tree.operands[1]) or 0
    factors = [number for each in tree.operands if (number := whole(each)) is not None and number > 0]
    return sum((number & -number).bit_length() - 1 for number in factors)


def _bits(tree: Operation) -> int | None:
    """Return how many of the lowest bits of a number may be 1; None if it may be negative, or is no integer."""
    if (number := whole(tree)) is not None:
        return number.bit_length() if number >= 0 else None
    if (form := _format(tree)) is None:
        return None
    ends: int | None = None
    through = tree.operands if tree.kind in ("cast", "<<", "|", "&") else ()  # other operators are not followed
    match tree.kind, [_bits(each) for each in through]:
        case "cast", [int(inner)]:
            ends = inner
        case "<<", [int(inner), _] if (number := whole(tree.operands[1])) is not None:
            ends = inner + number
        case "|", [int(one), int(other)]:
            ends = max(one, other)
        case "&", parts if known := [each for each in parts if each is not None]:
            ends = min(known)
    if ends is not None and ends < form.bits:
        return ends
    return None if form.signed else form.bits


def _format(tree: Operation) -> Format | None:
    try:
        form = Format.of(tree.type)
    except InputError:
        return None
    return form if form.family == "integer" else None
