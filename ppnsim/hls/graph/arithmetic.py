"""Arithmetic and bit operations as nodes: formats, widths, and wiring in place of known operands (R2.1)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.graph.simplify import folded
from ppnsim.hls.library.types import BIT, Format, joined, result
from ppnsim.loops.program import Operation

_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "div"}
_COMPARED = frozenset(("<", "<=", ">", ">=", "==", "!="))
_LOGIC = frozenset(("&", "|", "^", "&&", "||"))
BINARY = _ARITHMETIC.keys() | _COMPARED | _LOGIC
BITS = frozenset(("member", "list", "join", "reduce", "bits", "insert"))


def unary(operators: Operators, tree: Operation, node: int) -> int:
    """Return ``-x``, ``~x`` or ``!x``; a floating-point number changes its sign without an adder."""
    of, where = operators.graph.nodes[node].format, str(tree.position)
    if tree.kind == "!x" and operators.graph.nodes[node].name in ("cmp", "!cmp"):
        return operators.wire("!cmp", BIT, node)  # the opposite comparison
    if tree.kind != "-x":
        return operators.op("logic", BIT if tree.kind == "!x" else of, (node,), where)
    if of.family == "integer" and operators.is_choice(node):
        test, *numbers = operators.graph.nodes[node].operands
        texts = [operators.graph.nodes[each].name for each in numbers]
        if all(text.lstrip("-").isdecimal() for text in texts):  # R1.1
            ways = (operators.constant(str(-int(each)), of) for each in texts)
            return operators.op("select", of, (test, *ways), where)
    if of.family == "fixed":
        of = replace(of, bits=of.bits + 1, signed=True)
        if (number := _number(operators, node)) is not None:  # R1.1
            return operators.constant(str(Fraction(-number, 1 << of.fraction)), of)
    return operators.op("logic" if of.real else "add", of, (node,), where)


def chosen(operators: Operators, tree: Operation, test: int, first: int, second: int) -> int:
    """Return ``test ? first : second``."""
    first, second = _alike(operators, first, second)
    common = joined(operators.graph.nodes[first].format, operators.graph.nodes[second].format)
    return operators.op("select", common, (test, first, second), str(tree.position))


def shifted(operators: Operators, tree: Operation, node: int, by: int) -> int:
    """Return a shifted value; a shift by a constant is wiring."""
    of, distance = operators.graph.nodes[node].format, _number(operators, by)
    if distance is None:
        return operators.op("shift", of, (node, by), str(tree.position))
    if of.family != "integer":
        return node
    most = Format.of(tree.type, str(tree.position)).bits
    bits = min(most, of.bits + distance) if tree.kind == "<<" else max(1, of.bits - distance)
    return node if bits == of.bits else operators.wire("shift", replace(of, bits=bits), node)


def binary(operators: Operators, tree: Operation, left: int, right: int, whole: int | None) -> int:
    """Return an operation on two operands, of which ``whole`` bits before the point are needed (None: all)."""
    where = str(tree.position)
    left, right = _alike(operators, left, right)
    formats = _least(operators, left), _least(operators, right)
    common = joined(*formats)
    if tree.kind in _COMPARED:
        if (number := _of_sign(operators, tree.kind, left, right)) is not None:
            return operators.wire(f"sign {tree.kind}", BIT, number)
        return operators.op("cmp", BIT, (left, right), where, wide=common)
    if tree.kind in _LOGIC:
        return _logic(operators, tree, left, right, common)
    name = _ARITHMETIC[tree.kind]
    full = result(name, *formats, None if common.real else Format.of(tree.type, where))
    if name in ("add", "sub"):
        if full.real and (found := folded(operators, name, full, left, right)) is not None:
            return found
        return _sum(operators, left, right, full, whole, where, negative=name == "sub")
    if full.real:
        found = folded(operators, name, full, left, right)
        return operators.op(name, full, (left, right), where) if found is None else found
    given = operators, left, right, full, where
    return _product(*given) if name == "mul" else _quotient(*given, remainder=tree.kind == "%")


def _sum(
    operators: Operators, left: int, right: int, full: Format, whole: int | None, where: str, *, negative: bool
) -> int:  # fmt: skip
    """Return a sum or a difference; a variable that is 0 here, which folding does not see, is left out."""
    if not full.real and _number(operators, right) == 0:
        return left
    if not full.real and _number(operators, left) == 0 and not negative:
        return right
    if whole is not None and not full.real and full.whole > whole:
        full = replace(full, bits=whole + full.fraction)
    operands = (left, right) if negative else tuple(sorted((left, right)))
    return operators.op("add", full, operands, where, negative=1 if negative else -1)


def _product(operators: Operators, left: int, right: int, full: Format, where: str) -> int:
    if (of_choice := _by_choice(operators, left, right, full, where)) is not None:
        return of_choice
    bits = []
    for node, other in ((left, right), (right, left)):
        number, of = _number(operators, node), operators.graph.nodes[other].format
        if number == 0:
            return node  # the token that was read from a FIFO for the other operand is lost
        if number is not None and abs(number).bit_count() == 1:
            if full.family == "integer":
                return other
            return operators.wire("shift", replace(full, bits=of.bits + full.fraction - of.fraction), other)
        if number is not None and (terms := _two_digits(number)) is not None:
            return _shifted_sum(operators, other, *terms, full, where)
        # Zeros at the end of a constant factor are wiring.
        known = None if number is None else len(f"{abs(number):b}".rstrip("0")) + 1
        bits.append(known or operators.graph.nodes[node].format.bits)
    return operators.op("mul", full, tuple(sorted((left, right))), where, wide=replace(full, bits=max(bits)))


def _by_choice(operators: Operators, left: int, right: int, full: Format, where: str) -> int | None:
    """Return a product with a choice of two numbers as a choice, None for another product (R1.1).

    A number has two products; another value has itself and its negative, if 1 and -1 are chosen from.
    """
    for choice, other in ((left, right), (right, left)):
        node, of = operators.graph.nodes[choice], operators.graph.nodes[other].format
        if node.format.fraction or not operators.is_choice(choice):
            continue
        test, *ways = node.operands
        numbers, known = [_number(operators, way) for way in ways], _number(operators, other)
        if known is not None and None not in numbers:
            texts = (str(Fraction((number or 0) * known, 1 << of.fraction)) for number in numbers)
            products = [operators.constant(text, full) for text in texts]
            return products[0] if products[0] == products[1] else operators.op("select", full, (test, *products), where)
        if set(numbers) == {1, -1}:
            own = replace(full, bits=min(full.bits, of.bits + 1))
            negative = operators.op("add", own, (other,), where, negative=0)
            both = (other if number == 1 else negative for number in numbers)
            return operators.op("select", own, (test, *both), where)
    return None


def _of_sign(operators: Operators, kind: str, left: int, right: int) -> int | None:
    """Return the number whose sign bit, or negated sign bit, is a comparison's result (R2.19), or None."""
    if operators.is_constant(left):
        left, right, kind = right, left, {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(kind, kind)
    of, bound = operators.graph.nodes[left].format, operators.graph.nodes[right].format
    ends = {"<": 0, ">=": 0} | ({"<=": -1, ">": -1} if of.family == "integer" else {})
    whole = not of.real and not bound.real and of.signed and bound.signed and not operators.is_constant(left)
    return left if whole and kind in ends and _number(operators, right) == ends[kind] else None


def _two_digits(number: int) -> tuple[int, int] | None:
    """Return a number as ``high + low``, two powers of two of which one may be negative, or None (R2.18).

    Examples
    --------
    >>> from ppnsim.hls.graph.arithmetic import _two_digits
    >>> _two_digits(62), _two_digits(-3), _two_digits(10), _two_digits(11), _two_digits(-5)
    ((64, -2), (-4, 1), (8, 2), None, None)
    """
    low = number & -number
    sign, rest = (1, number - low) if abs(number - low).bit_count() == 1 else (-1, number + low)
    return (rest, sign * low) if abs(rest).bit_count() == 1 and max(rest, sign * low) > 0 else None


def _shifted_sum(operators: Operators, node: int, high: int, low: int, full: Format, where: str) -> int:
    """Return a product by two powers of two: a sum of two shifted values, whose lowest bits are wiring (R2.18)."""
    own = replace(full, bits=max(1, full.bits - abs(low).bit_length() + 1))
    far = operators.wire(f"shift {abs(high)}", own, node)
    first, second = (node, far) if high < 0 else (far, node)
    found = operators.op("add", own, (first, second), where, negative=1 if min(high, low) < 0 else -1)
    return found if own == full else operators.wire("shift", full, found)


def _quotient(operators: Operators, left: int, right: int, full: Format, where: str, *, remainder: bool) -> int:
    number, divided = _number(operators, right), _number(operators, left)
    if full.family == "fixed" and number and divided is not None:  # R1.1
        whole = int(Fraction(divided << operators.graph.nodes[right].format.fraction, number))
        return operators.constant(str(Fraction(whole, 1 << full.fraction)), full)
    if number is not None and abs(number).bit_count() == 1:
        return left
    if number is None or remainder:  # a remainder has a unit of its own, also by a constant (R2.6)
        return operators.op("div", full, (left, right), where, wide=replace(full, bits=max(full.bits, 1)))
    # By a constant: times its reciprocal, then a correction of the sign (R2.8).
    reciprocal = operators.constant(f"1/{number}", full)
    node = operators.op("mul", full, (left, reciprocal), where, wide=replace(full, bits=64))
    for part in ("quotient", "sign", "mux"):
        node = operators.wire("fix", full, node, delay=operators.library.ns(part))
    return node


def _alike(operators: Operators, left: int, right: int) -> tuple[int, int]:
    """Return two operands in formats that one operator takes.

    A constant of the source gets the format of the other operand; beside floating point, an integer is converted.
    """
    a, b = operators.graph.nodes[left], operators.graph.nodes[right]
    if a.format.real != b.format.real:
        if a.unit == "constant" or (b.unit != "constant" and b.format.real):
            return operators.converted(left, b.format), right
        return left, operators.converted(right, a.format)
    if a.format.real and a.format.bits != b.format.bits:
        common = joined(a.format, b.format)
        return operators.converted(left, common), operators.converted(right, common)
    return left, right


def _least(operators: Operators, node: int) -> Format:
    """Return the format of an operand; an integer constant has no more bits than its value needs."""
    at = operators.graph.nodes[node]
    if at.unit != "constant" or at.format.family != "integer" or (number := _number(operators, node)) is None:
        return at.format
    return replace(at.format, bits=max(1, number.bit_length() + (number < 0 or at.format.signed)))


def _number(operators: Operators, node: int) -> int | None:
    """Return a constant operand as an integer in units of its last fraction bit, None for a variable value."""
    at = operators.graph.nodes[node]
    if at.unit != "constant":
        return None
    try:
        scaled = Fraction(at.name.rstrip("fFlLuU")) * (1 << at.format.fraction)
    except ValueError:
        return None
    return int(scaled)


def bits_of(operators: Operators, tree: Operation, nodes: tuple[int, ...]) -> int:
    """Return an operation on bits: a range, a replaced range, a concatenation, or a reduction to one bit."""
    where = str(tree.position)
    match tree.kind:
        case "member":
            return operators.wire(f".{tree.text}", Format.of(tree.type, where), *nodes)
        case "list":
            bits = sum(operators.graph.nodes[node].format.bits for node in nodes)
            return operators.wire("join", Format("struct", bits, 0, False), *nodes)
        case "join":
            return operators.wire("join", Format.of(tree.type, where), *nodes)
        case "reduce":
            return operators.op("cmp", BIT, nodes, where, wide=operators.graph.nodes[nodes[0]].format)
        case "bits":
            number, low = nodes[0], nodes[2]
            to = Format.of(tree.type, where)
            if operators.is_constant(low):
                return operators.wire(f"[{operators.graph.nodes[low].name}]", to, number)
            whole = operators.graph.nodes[number].format
            return operators.wire("cut", to, operators.op("shift", _integer(whole), (number, low), where))
    number, high, low, value = nodes
    of = operators.graph.nodes[number].format
    if operators.is_constant(high) and operators.is_constant(low):
        return operators.wire("join", of, number, value)
    # A shifter moves the value to its place, and a mask selects it; the place of a bit is known before the bit (R2.16).
    moved = operators.op("shift", _integer(of), (low if high == low else value, low), where)
    return operators.op("logic", _integer(of), (number, moved, value if high == low else high), where)


def _logic(operators: Operators, tree: Operation, left: int, right: int, common: Format) -> int:
    """Return ``& | ^ && ||``; ``&`` and ``|`` with a constant are wiring."""
    where = str(tree.position)
    if tree.kind in ("&&", "||"):
        return operators.op("logic", BIT, (left, right), where, kind=tree.kind)
    for constant, other in ((left, right), (right, left)):
        if tree.kind in ("&", "|") and operators.is_constant(constant) and not operators.is_constant(other):
            of = operators.graph.nodes[other].format
            mask = operators.graph.nodes[constant].name
            if of.family == "integer" and tree.kind == "&" and mask.isdecimal() and int(mask):
                of = replace(of, bits=min(of.bits, int(mask).bit_length()), signed=False)
            return operators.wire(f"{tree.kind}{mask}", of, other)
    return operators.op("logic", common, (left, right), where, kind=tree.kind)


def _integer(of: Format) -> Format:
    """Return an integer format with the bits of a number, as shifters take it."""
    return Format("integer", of.bits, 0, False)
