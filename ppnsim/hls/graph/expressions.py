"""From expressions to operators: widths (R2.1), constants, functions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from ppnsim.errors import InputError
from ppnsim.hls.graph.bits import bits_of, logic
from ppnsim.hls.library.types import BIT, Format, joined, result
from ppnsim.loops.program import Operation, Statement

if TYPE_CHECKING:
    from ppnsim.hls.graph.flow import Flow

_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "div"}
_COMPARED = frozenset(("<", "<=", ">", ">=", "==", "!="))
_LOGIC = frozenset(("&", "|", "^", "&&", "||"))
_ROOTS = frozenset(("sqrt", "sqrtf", "sqrtl"))
_ELEMENTARY = frozenset(
    "exp expf exp2 log logf log2 log10 sin sinf cos cosf tan tanf atan atan2 pow powf sinh cosh tanh rsqrt".split()  # noqa: SIM905
)
_INVERSES = frozenset(("recip", "recipf"))
_SIGNS = frozenset(("fabs", "fabsf", "abs", "floor", "floorf", "ceil", "ceilf", "round", "labs"))
_CHOICES = frozenset(("fmax", "fmin", "fmaxf", "fminf", "max", "min"))


def value_of(flow: Flow, tree: Operation, statement: Statement, whole: int | None = None) -> int:
    """Return the node of an expression of which ``whole`` bits before the point are wanted (None: all)."""
    where = str(tree.position)
    match tree.kind:
        case "constant":
            return flow.constant(tree.text, Format.of(tree.type, where))
        case "iterator":
            return flow.input(tree.text, Format("integer", 32))
        case "read":
            assert tree.read is not None
            access = statement.reads[tree.read]
            index = tuple(flow.value(operand, statement) for operand in tree.operands)
            return flow.narrowed(flow.load(access, index), flow.format(access))
        case "address" | "reference":
            # What a function may read through a pointer; what it writes there becomes its result.
            for operand in tree.operands:
                flow.value(operand, statement)
            return flow.input(str(tree.place), Format("integer", 32))
        case "cast" | "+x":
            to = Format.of(tree.type, where)
            node = flow.value(tree.operands[0], statement, to.whole if to.family == "fixed" else whole)
            return flow.converted(node, to)
        case "-x":
            node = flow.value(tree.operands[0], statement, whole)
            of = flow.graph.nodes[node].format
            if of.family == "fixed":
                of = replace(of, bits=of.bits + 1, signed=True)
            return flow.op("logic" if of.real else "add", of, (node,), where)
        case "~x" | "!x":
            node = flow.value(tree.operands[0], statement)
            return flow.op("logic", BIT if tree.kind == "!x" else flow.graph.nodes[node].format, (node,), where)
        case "?:":
            return _choice(flow, tree, statement, whole)
        case "call":
            return _call(flow, tree, statement)
        case "<<" | ">>":
            node, by = (flow.value(operand, statement) for operand in tree.operands)
            return _shifted(flow, tree, node, by)
        case "bits" | "insert" | "join" | "reduce" | "member" | "list":
            return bits_of(flow, tree, statement)
    if tree.kind in _ARITHMETIC or tree.kind in _COMPARED or tree.kind in _LOGIC:
        return _binary(flow, tree, statement, whole)
    raise InputError(f"'{tree.kind}' has no operator in hardware", where=where)


def _binary(flow: Flow, tree: Operation, statement: Statement, whole: int | None) -> int:
    where = str(tree.position)
    name = _ARITHMETIC.get(tree.kind, "")
    wanted = whole if name in ("add", "sub") else None
    left, right = (flow.value(operand, statement, wanted) for operand in tree.operands)
    left, right = _alike(flow, left, right)
    formats = [_least(flow, n) for n in (left, right)]
    common = joined(*formats)
    if tree.kind in _COMPARED:
        return flow.op("cmp", BIT, (left, right), where, wide=common)
    if tree.kind in _LOGIC:
        return logic(flow, tree, left, right, common)
    full = result(name, formats[0], formats[1], None if common.real else Format.of(tree.type, where))
    if full.family == "integer" and name in ("add", "sub"):
        # What the folding of statements cannot see: a variable that is 0 here.
        if _number(flow, right) == 0:
            return left
        if _number(flow, left) == 0 and name == "add":
            return right
    if name in ("add", "sub"):
        if whole is not None and not full.real and full.whole > whole:
            full = replace(full, bits=whole + full.fraction)
        if name == "sub":
            return flow.op("add", full, (left, right), where, negative=1)
        return flow.op("add", full, _ordered(left, right), where)
    if full.real:
        return flow.op(name, full, (left, right), where)
    return _product(flow, left, right, full, where) if name == "mul" else _quotient(flow, left, right, full, where)


def _least(flow: Flow, node: int) -> Format:
    """Return the format of an operand; of a whole number in the source, no more bits than it has."""
    at = flow.graph.nodes[node]
    if at.unit != "constant" or at.format.family != "integer" or (number := _number(flow, node)) is None:
        return at.format
    return replace(at.format, bits=max(1, number.bit_length() + (number < 0 or at.format.signed)))


def _shifted(flow: Flow, tree: Operation, node: int, by: int) -> int:
    """Return a shifted value: by a constant, that is wiring."""
    of, distance = flow.graph.nodes[node].format, _number(flow, by)
    if distance is None:
        return flow.op("shift", of, (node, by), str(tree.position))
    if of.family != "integer":
        return node
    most = Format.of(tree.type, str(tree.position)).bits
    bits = min(most, of.bits + distance) if tree.kind == "<<" else max(1, of.bits - distance)
    return node if bits == of.bits else flow.wire("shift", node, replace(of, bits=bits))


def _alike(flow: Flow, left: int, right: int) -> tuple[int, int]:
    """Return operands of which a number of C has the other one's format, and integers of C are floating point."""
    a, b = flow.graph.nodes[left], flow.graph.nodes[right]
    if a.format.real != b.format.real:
        if a.unit == "constant" or (b.unit != "constant" and b.format.real):
            return flow.converted(left, b.format), right
        return left, flow.converted(right, a.format)
    if a.format.real and a.format.bits != b.format.bits:
        return flow.converted(left, joined(a.format, b.format)), flow.converted(right, joined(a.format, b.format))
    return left, right


def _product(flow: Flow, left: int, right: int, full: Format, where: str) -> int:
    bits = []
    for node in (left, right):
        number = _number(flow, node)
        if number is not None and _power_of_two(number):
            other = right if node == left else left
            if full.family == "integer":
                return other
            return flow.wire(
                "shift",
                other,
                replace(
                    full,
                    bits=flow.graph.nodes[other].format.bits + full.fraction - flow.graph.nodes[other].format.fraction,
                ),
            )
        bits.append(flow.graph.nodes[node].format.bits if number is None else _bits(number))
    return flow.op("mul", full, _ordered(left, right), where, wide=replace(full, bits=max(bits)))


def _quotient(flow: Flow, left: int, right: int, full: Format, where: str) -> int:
    number = _number(flow, right)
    if number is None:
        return flow.op("div", full, (left, right), where, wide=replace(full, bits=max(full.bits, 1)))
    if _power_of_two(number):
        return left
    # By a constant: times its reciprocal, then a correction of the sign (R2.8).
    times = flow.op("mul", full, (left, flow.constant(f"1/{number}", full)), where, wide=replace(full, bits=64))
    for delay in (flow.library.ns("quotient"), flow.library.ns("sign"), flow.library.ns("mux")):
        key = ("fix", delay, times)
        times = flow.same.setdefault(
            key, flow.graph.add("op", "fix", full, (times,), delay=delay)
        )  # fmt: skip
    return times


def _number(flow: Flow, node: int) -> int | None:
    """Return a constant operand as a whole number of its last fraction bit, None for a value."""
    at = flow.graph.nodes[node]
    if at.unit != "constant":
        return None
    try:
        scaled = Fraction(at.name.rstrip("fFlLuU")) * (1 << at.format.fraction)
    except ValueError:
        return None
    return int(scaled)


def _choice(flow: Flow, tree: Operation, statement: Statement, whole: int | None) -> int:
    test = flow.value(tree.operands[0], statement)
    first, second = (flow.value(operand, statement, whole) for operand in tree.operands[1:])
    first, second = _alike(flow, first, second)
    common = joined(flow.graph.nodes[first].format, flow.graph.nodes[second].format)
    return flow.op("select", common, (test, first, second), str(tree.position))


def _call(flow: Flow, tree: Operation, statement: Statement) -> int:
    where, name = str(tree.position), tree.text.rsplit("::", 1)[-1]
    operators = (("sqrt", _ROOTS), ("elementary", _ELEMENTARY), ("select", _SIGNS), ("div", _INVERSES))
    kind = next((operator for operator, names in operators if name in names), "")
    if not kind and name not in _CHOICES and statement.latency is None:
        known = "sqrt, exp, log, pow, sin, cos, tan, fabs, fmin, fmax"
        raise InputError(
            f"function '{name}' has no operator (known: {known}); '#pragma ppnsim latency(N)' before the statement "
            "makes it a unit of N states",
            where=where,
        )
    operands = tuple(flow.value(operand, statement) for operand in tree.operands)
    formats = [flow.graph.nodes[operand].format for operand in operands] or [Format("integer", 32)]
    wide = formats[0]
    if name in _CHOICES:
        test = flow.op("cmp", BIT, operands, where, wide=joined(formats[0], formats[-1]))
        return flow.op("select", joined(formats[0], formats[-1]), (test, *operands), where)
    if tree.type != "void":
        to = Format.of(tree.type, where)
    else:
        to = flow.format(statement.writes[0]) if statement.writes else BIT
    if kind:
        if to.real and not wide.real:
            operands, wide = tuple(flow.converted(o, to) for o in operands), to
        return flow.op(kind, to, operands, where, wide=to if to.real else wide)
    states = statement.latency or 1
    return flow.graph.add("op", name, to, operands, states=states, entry=flow.library.budget, unit=name)


def _ordered(left: int, right: int) -> tuple[int, int]:
    return (left, right) if left < right else (right, left)


def _bits(number: int) -> int:
    """Return the bits of a constant factor: zeros at its end are wiring."""
    number = abs(number)
    while number and number % 2 == 0:
        number //= 2
    return number.bit_length() + 1


def _power_of_two(number: int) -> bool:
    return number != 0 and abs(number) & (abs(number) - 1) == 0
