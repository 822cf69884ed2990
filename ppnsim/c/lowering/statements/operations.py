"""Reads the value of a statement: its expression tree, and its accesses in textual order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from ppnsim.c.kinds import STEPS, TASK
from ppnsim.c.lowering.functions.footprint import Footprint, footprint
from ppnsim.c.lowering.places.compared import compared
from ppnsim.c.lowering.places.elements import path_of, place
from ppnsim.c.lowering.scope import ArrayPlace, Scope, Sum
from ppnsim.c.lowering.statements.recast import stored_as
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, named, read
from ppnsim.c.lowering.values.constants import constant_of
from ppnsim.c.lowering.values.null_pointers import set_side
from ppnsim.c.lowering.values.piecewise import Choice, Largest, Least, Range, Value, extent
from ppnsim.c.lowering.values.reals import of_library
from ppnsim.c.lowering.values.sums import split
from ppnsim.c.plain.nodes import INT, number
from ppnsim.c.refusals import not_one, unsupported
from ppnsim.c.syntax import CType, SyntaxNode, converted, refuse, unsigned
from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not, Quotient, Remainder, Some
from ppnsim.loops.program import DATA, Access, Operation, Position


@dataclass(slots=True)
class Reading:
    """Reads the expression of one statement and collects its accesses."""

    scope: Scope
    reads: list[Access] = field(default_factory=list)
    writes: list[Access] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)

    def operation(self, node: SyntaxNode) -> Operation:
        """Return an expression as a tree."""
        match node.kind:
            case "integer":
                return self._made(node, "constant", text=str(node.value))
            case "real" | "string":
                return self._made(node, "constant", text=node.text)
            case "binary":
                return self._binary(node)
            case "choice":
                return self._made(node, "?:", node.children) if (side := set_side(node, self.scope)) is None else (
                    self.operation(converted(side, node.type))
                )  # fmt: skip
            case "cast" if node.type.kind == "struct" and node.type.text == node.children[0].type.text:  # a copy
                return self.operation(node.children[0])
            case "cast":
                return self._number(node) or self._made(node, "cast", node.children)
            case "call":
                return self._number(node) or self._call(node)
            case "list" if node.type.kind in ("integer", "real"):  # int{} is 0
                return self.operation(converted((*node.children, number(node, 0, node.type))[0], node.type))
            case "list" if node.type.kind == "struct":
                return self._made(node, "list", node.children)
            case "unary" if node.text in ("-", "+", "~", "!"):
                return self._made(node, f"{node.text}x", node.children)
            case "name" | "index" | "member" | "unary" if node.text not in STEPS:
                return self._read(node)
            case "token" | "bits" | "insert" | "join" | "reduce":
                return self._vendor(node)
        if node.kind == "assign" or node.text in STEPS:
            refuse(node.position, f"'{node}' changes a variable inside an expression; write a statement of its own")
        return refuse(node.position, unsupported(node))

    def _binary(self, node: SyntaxNode) -> Operation:
        if node.text == ",":
            refuse(node.position, f"'{node}': a comma between values; write two statements")
        if subscripts := compared(node, self.scope):
            sides = tuple(self.sum(each, node.position) for each in subscripts)
            return Operation(node.text, node.type.text, sides, position=node.position)
        return self._made(node, node.text, node.children)

    def _number(self, node: SyntaxNode) -> Operation | None:
        """Return the constant that a library function yields for known numbers, as the compiler computes it (R1.1)."""
        real, context = node if node.kind == "call" else node.children[0], self.scope.context
        known = of_library(real, context.unit.functions, lambda each: read(each, self.scope), self.scope.changed)
        if known is None or node.type.kind not in ("integer", "real") or not context.policy.computed_choices:
            return None
        return self._made(node, "constant", text=str(int(known)) if node.type.kind == "integer" else repr(known))

    def access(self, target: ArrayPlace, of: CType, node: SyntaxNode) -> Operation:
        """Add a read and return the node of the tree for it."""
        self.reads.append(whole(target, self.scope, node))
        latest = len(self.reads) - 1
        path = target.path
        token = self.scope.context.arrays[target.array].type if path else of.text
        found = Operation("read", token, self.indices(target, node.position), read=latest, position=node.position)
        if stored := stored_as(target, of, node, self.scope):
            found = replace(found, type=stored) if not path else Operation("member", stored, (found,), path)
            return Operation("join", of.text, (found,), position=node.position)
        return Operation("member", of.text, (found,), path, position=node.position) if path else found

    def indices(self, target: ArrayPlace, at: Position) -> tuple[Operation, ...]:
        """Return the subscripts of a random access as trees; the statement also makes their reads."""
        chosen = target.random and (DATA in target.subscripts or not target.subscripts)
        sums = reversed(target.computed) if chosen else ()
        return tuple(reversed([self.sum(each, at) for each in sums if each]))

    def sum(self, parts: Sum, at: Position) -> Operation:
        """Return the sum that is a subscript; the constant 0 is left out unless it is the only term."""
        computed, known = split(parts)
        found = [self.operation(each) for each in computed]
        if known != Affine.of(0) or not found:
            found.append(tree(known, SyntaxNode("integer", at, INT), self.scope.ranges))
        return reduce(lambda left, right: Operation("+", INT.text, (left, right), position=at), found)

    def control(self, node: SyntaxNode) -> None:
        """Add the reads of a bound or a condition, without their operations."""
        for part in node.children if node.kind == "assign" else (node,):
            self.operation(part)

    def _vendor(self, node: SyntaxNode) -> Operation:
        """Return an operation of high-level synthesis on a stream or on bits."""
        if not self.scope.context.policy.vendor_types:
            words = "FIFOs and single bits are hardware; only 'ppnsim schedule' and similar commands read them"
            refuse(node.position, f"'{node}': {words}")
        if node.kind == "token":
            return self.access(place(node, self.scope), node.type, node)
        if node.kind == "bits" and (width := self._width(node)):
            node = replace(node, type=unsigned(width))
        return self._made(node, node.kind, node.children, node.text)

    def _width(self, node: SyntaxNode) -> int:
        """Return the number of bits from the low bit to the high bit, 0 if it is data."""
        try:
            high, low = (read(child, self.scope) for child in node.children[1:])
        except (NotAffine, NotBound):
            return 0
        apart = high.minus(low) if isinstance(high, Affine) and isinstance(low, Affine) else None
        return 0 if apart is None else abs(apart) + 1

    def _made(self, node: SyntaxNode, kind: str, children: Sequence[SyntaxNode] = (), text: str = "") -> Operation:
        operands = tuple(self.operation(child) for child in children)
        return Operation(kind, node.type.text, operands, text, position=node.position)

    def _read(self, node: SyntaxNode) -> Operation:
        if node.variable in self.scope.counters:
            text, values = self.scope.counters[node.variable]
            return replace(self._made(node, "iterator", text=text), values=values)
        if node.variable and node.type.kind == "integer":
            try:
                return self.integer(named(node.variable, node, self.scope), node) or self.access(
                    place(node, self.scope), node.type, node
                )
            except (NotAffine, NotBound):
                pass
        if node.type.kind in ("pointer", "array"):
            refuse(node.position, f"'{node}' is an array or a pointer, not a value; name an element of it")
        if self.scope.context.policy.computed_choices and (number := constant_of(node)) is not None:
            return self._made(node, "cast", (number,))
        return self.access(place(node, self.scope), node.type, node)

    def integer(self, value: Value, node: SyntaxNode) -> Operation:
        """Return an integer value that depends on iterators as a tree."""
        if self.scope.context.policy.computed_choices:
            return chosen(value, lambda part: tree(part, node, self.scope.ranges))
        if isinstance(value, Choice):
            refuse(node.position, f"'{node}' stands for a choice of values; use '?:' in the statement itself")
        if isinstance(value, Least | Largest):
            refuse(node.position, f"'{node}' stands for a minimum or maximum; use '?:' in the statement itself")
        return tree(value, node, self.scope.ranges)

    def _call(self, node: SyntaxNode) -> Operation:
        found = footprint(node, self.scope)
        operands = []
        for argument, access in zip(node.children, found.arguments, strict=True):
            operands.append(self.operation(argument) if access is None else self._pointed(access, argument))
        self.reads += found.reads
        self.writes += found.writes
        if not self.scope.context.unit.functions[node.text].system:
            self.functions.append(node.text)
        name = node.text if node.spelled == TASK else node.spelled or node.text
        return Operation("call", node.type.text, tuple(operands), name, position=node.position)

    def _pointed(self, access: Footprint, node: SyntaxNode) -> Operation:
        start = len(self.reads)
        self.reads += access.reads
        self.writes += access.writes
        if any(touched.random for touched in (*access.reads, *access.writes)):
            self.indices(place(node.bare, self.scope), node.position)
        of, at = node.type.text, node.position
        if access.place is None:
            return Operation("constant", of, text=str(node), position=at)
        parts = tuple(
            Operation("read", node.type.base().text, read=start + i, position=at) for i in range(len(access.reads))
        )
        kind = "reference" if access.by_reference else "address"
        found = Operation(kind, of, parts, path_of(node), place=access.place, position=at)
        return Operation("cast", of, (found,), position=at) if node.kind == "cast" else found


def whole(target: ArrayPlace, scope: Scope, node: SyntaxNode) -> Access:
    """Return a place as an access to one element; refuse rows and whole arrays."""
    if not target.random and len(target.subscripts) != len(scope.context.arrays[target.array].shape):
        refuse(node.position, not_one(node))
    return target.access()


def tree(value: Affine, node: SyntaxNode, ranges: Mapping[str, Range]) -> Operation:
    """Return an affine value as an expression tree, positive terms first."""
    of, at = node.type.text, node.position

    def number(constant: int) -> Operation:
        return Operation("constant", of, text=str(constant), position=at)

    result: Operation | None = None
    constant = value.constant
    if constant > 0 and all(factor < 0 for _, factor in value.terms):
        result, constant = number(constant), 0
    for atom, factor in sorted(value.terms, key=lambda term: term[1] < 0):
        if isinstance(atom, str):
            part = Operation("iterator", of, text=atom, position=at)
        else:
            operator, by = _whole_division(atom, ranges)
            part = Operation(operator, of, (tree(atom.of, node, ranges), number(by)), position=at)
        if abs(factor) != 1:
            part = Operation("*", of, (number(abs(factor)), part), position=at)
        if result is not None:
            result = Operation("+" if factor > 0 else "-", of, (result, part), position=at)
        else:
            result = part if factor > 0 else Operation("-x", of, (part,), position=at)
    if result is None:
        return number(constant)
    sign = "+" if constant > 0 else "-"
    return Operation(sign, of, (result, number(abs(constant))), position=at) if constant else result


def _whole_division(atom: Quotient | Remainder, ranges: Mapping[str, Range]) -> tuple[str, int]:
    """Return the C operator and its right operand; for negative values, only shifts and masks round down."""
    below, power = extent(atom.of, ranges)[0] < 0, atom.by & (atom.by - 1) == 0
    if isinstance(atom, Quotient):
        return (">>", atom.by.bit_length() - 1) if below and power else ("/", atom.by)
    return ("&", atom.by - 1) if below and power else ("%", atom.by)


_BOOL = "bool"


def chosen(value: Value, tree: Callable[[Affine], Operation]) -> Operation:
    """Return a value as an expression; ``tree`` makes the expression of an affine piece.

    Examples
    --------
    >>> number = lambda piece: Operation("iterator", "int", text=str(piece))
    >>> found = chosen(Least((Affine.of("i"), Affine.of(4))), number)
    >>> found.kind, [operand.text or operand.kind for operand in found.operands]
    ('?:', ['<', 'i', '4'])
    """
    if isinstance(value, Affine):
        return tree(value)
    if isinstance(value, Choice):
        yes, no = (chosen(each, tree) for each in (value.yes, value.no))
        return Operation("?:", yes.type, (_test(value.condition, tree), yes, no))
    operator = "<" if isinstance(value, Least) else ">"
    assert isinstance(value, Least | Largest)
    parts = [chosen(each, tree) for each in value.parts]
    result = parts[0]
    for part in parts[1:]:
        result = Operation("?:", part.type, (Operation(operator, _BOOL, (result, part)), result, part))
    return result


def _test(condition: Condition, tree: Callable[[Affine], Operation]) -> Operation:
    if isinstance(condition, Compare):
        left = tree(condition.left)
        zero = Operation("constant", left.type, text="0")
        return Operation("==" if condition.relation == "=" else ">=", _BOOL, (left, zero))
    if isinstance(condition, Not):
        return Operation("!x", _BOOL, (_test(condition.part, tree),))
    assert isinstance(condition, All | Some)
    parts = [_test(part, tree) for part in condition.parts]
    result = parts[0]
    for part in parts[1:]:
        result = Operation("&&" if isinstance(condition, All) else "||", _BOOL, (result, part))
    return result
