"""Operators of expressions by themselves: how wide they are, what is wiring, what is there only once (R2.2, R2.8)."""

from __future__ import annotations

import pytest

from ppnsim.errors import InputError
from ppnsim.hls.graph.arithmetic import binary, bits_of, chosen, shifted, unary
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import BIT, Format, joined, result
from ppnsim.loops.program import Array, Operation

LIBRARY = load_library("xc7z020", 10)
INT, CHAR, FLOAT, DOUBLE = map(Format.of, ("int", "char", "float", "double"))
UNSIGNED, FIXED = Format.of("unsigned char"), Format.of("ap_fixed<16,8>")


def fixed(bits: int, whole: int) -> Format:
    return Format("fixed", bits, bits - whole, True)


@pytest.fixture
def some() -> Operators:
    return Operators(LIBRARY, {})


def put(some: Operators, of: Format | str | int, name: str = "x") -> int:
    """A value of a format, or a number in the source."""
    if isinstance(of, int):
        return some.constant(str(of), INT)
    return some.input(name, Format.of(of) if isinstance(of, str) else of)


def told(some: Operators, node: int) -> tuple[str, str, int, tuple[int, ...]]:
    at = some.graph.nodes[node]
    return at.kind, at.name, at.format.bits, at.operands


@pytest.mark.parametrize(
    ("kind", "of", "name", "bits"),
    [
        ("!x", "int", "logic", 1), ("~x", "int", "logic", 32), ("-x", "int", "add", 32), ("-x", "float", "logic", 32),
        ("-x", "ap_fixed<16,8>", "add", 17), ("-x", "ap_ufixed<16,8>", "add", 17),
    ],
)  # fmt: skip
def test_one_operand(kind: str, of: str, name: str, bits: int, some: Operators) -> None:
    found = unary(some, Operation(kind, of), put(some, of))
    assert told(some, found) == ("op", name, bits, (0,))
    assert some.graph.nodes[found].format.signed is (of != "int" or kind != "!x")


@pytest.mark.parametrize(
    ("kind", "left", "right", "name", "bits", "wide"),
    [
        ("<", "int", "char", "cmp", 1, 32), ("==", "unsigned char", "char", "cmp", 1, 9),
        ("+", "char", "char", "add", 9, 9), ("-", "char", "char", "add", 9, 9), ("*", "char", "char", "mul", 16, 8),
        ("*", "int", "char", "mul", 32, 32), ("/", "int", "char", "div", 32, 32), ("%", "char", "int", "div", 8, 8),
        ("&", "int", "char", "logic", 32, 32), ("&&", "int", "char", "logic", 1, 1),
        ("^", "char", "char", "logic", 8, 8),
        ("+", "float", "float", "add", 32, 32), ("*", "float", "double", "mul", 64, 64),
        ("<", "float", "float", "cmp", 1, 32),
    ],
)  # fmt: skip
def test_two_operands(kind: str, left: str, right: str, name: str, bits: int, wide: int, some: Operators) -> None:
    a, b = put(some, left, "a"), put(some, right, "b")
    at = some.graph.nodes[binary(some, Operation(kind, "int"), a, b, None)]
    assert (at.name, at.format.bits, at.wide and at.wide.bits) == (name, bits, wide)
    assert at.negative == (1 if kind == "-" else -1)


def test_a_sum_is_there_once_whatever_its_order_and_a_difference_twice(some: Operators) -> None:
    a, b = put(some, "int", "a"), put(some, "int", "b")
    plus, minus, times = (Operation(kind, "int") for kind in "+-*")
    assert binary(some, plus, a, b, None) == binary(some, plus, b, a, None)
    assert binary(some, times, a, b, None) == binary(some, times, b, a, None)
    assert len({binary(some, minus, a, b, None), binary(some, minus, b, a, None), binary(some, plus, a, b, None)}) == 3
    ands = {binary(some, Operation(kind, "int"), a, b, None) for kind in ("&", "|", "^", "&&", "||")}
    assert len(ands) == 5  # they cost the same and are not the same


def test_a_sum_has_no_more_bits_before_the_point_than_are_wanted(some: Operators) -> None:
    a, b = put(some, FIXED, "a"), put(some, FIXED, "b")
    plus = Operation("+", "int")
    assert some.graph.nodes[binary(some, plus, a, b, None)].format.bits == 17
    assert some.graph.nodes[binary(some, plus, a, b, 9)].format.bits == 17
    assert some.graph.nodes[binary(some, plus, a, b, 8)].format.bits == 16
    assert some.graph.nodes[binary(some, plus, a, b, 4)].format.bits == 12


def test_sums_with_nothing_are_left_out(some: Operators) -> None:
    a, zero = put(some, "int", "a"), put(some, 0)
    assert binary(some, Operation("+", "int"), a, zero, None) == a
    assert binary(some, Operation("+", "int"), zero, a, None) == a
    assert binary(some, Operation("-", "int"), a, zero, None) == a
    assert told(some, binary(some, Operation("-", "int"), zero, a, None))[1] == "add"


@pytest.mark.parametrize(("number", "bits"), [(11, 5), (-5, 4), (44, 5), (-22, 5), (341, 10)])
def test_a_product_is_as_wide_as_its_wider_factor_without_the_zeros_at_the_end(
    number: int, bits: int, some: Operators
) -> None:
    for of, widest in (("ap_int<2>", max(2, bits)), ("int", 32)):
        a = put(some, of, f"a{of}")
        at = some.graph.nodes[binary(some, Operation("*", "int"), a, put(some, number), None)]
        assert (at.name, at.wide and at.wide.bits) == ("mul", widest)


@pytest.mark.parametrize(
    ("number", "high", "negative"), [(3, 2, -1), (62, 64, 1), (12, 8, -1), (-6, 8, 1), (65532, 65536, 1)]
)
def test_a_product_by_two_digits_is_a_sum_of_two_shifted_values(
    number: int, high: int, negative: int, some: Operators
) -> None:
    """R2.18."""
    a = put(some, FIXED, "a")
    node = binary(some, Operation("*", "int"), a, put(some, number), None)
    if some.graph.nodes[node].name == "shift":
        (node,) = some.graph.nodes[node].operands
    at = some.graph.nodes[node]
    assert (at.name, at.negative, at.states) == ("add", negative, 0)
    assert {some.graph.nodes[each].name for each in at.operands} == {"a", f"shift {high}"}
    assert at.operands[0 if number > 0 else 1] != a


@pytest.mark.parametrize(("kind", "of", "number", "name"), [
    ("<", "int", 0, "sign <"), (">=", FIXED, 0, "sign >="), (">", "char", -1, "sign >"), ("<=", "char", -1, "sign <="),
    ("<", "unsigned int", 0, "cmp"), (">", FIXED, -1, "cmp"), (">", "int", 0, "cmp"), ("<", "float", 0, "cmp"),
])  # fmt: skip
def test_a_comparison_with_0_is_the_bit_of_the_sign(
    kind: str, of: Format | str, number: int, name: str, some: Operators
) -> None:
    """R2.19."""
    a, bound = put(some, of, "a"), put(some, number)
    at = some.graph.nodes[binary(some, Operation(kind, "int"), a, bound, None)]
    assert (at.name, at.format.bits, bool(at.delay)) == (name, 1, name == "cmp")
    other = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}[kind]
    assert (some.graph.nodes[binary(some, Operation(other, "int"), bound, a, None)].delay == 0) == (name != "cmp")


def test_products_and_quotients_by_powers_of_two_are_wiring(some: Operators) -> None:
    a, f = put(some, "int", "a"), put(some, FIXED, "f")
    for number in (1, 2, 8, -4):
        assert binary(some, Operation("*", "int"), a, put(some, number), None) == a
        assert binary(some, Operation("*", "int"), put(some, number), a, None) == a
        assert binary(some, Operation("/", "int"), a, put(some, number), None) == a
    made = some.graph.nodes[binary(some, Operation("*", "int"), f, put(some, 4), None)]
    assert (made.kind, made.name, made.delay, made.format.fraction) == ("op", "shift", 0.0, 8)
    assert made.format.bits == 16


def test_a_quotient_by_a_number_is_a_product_and_a_correction(some: Operators) -> None:
    a = put(some, "int", "a")
    node = binary(some, Operation("/", "int"), a, put(some, 3), None)
    delays = []
    while some.graph.nodes[node].name == "fix":
        delays.append(some.graph.nodes[node].delay)
        (node,) = some.graph.nodes[node].operands
    timing = [LIBRARY.ns(part) for part in ("quotient", "sign", "mux")]
    assert delays == timing[::-1]
    product = some.graph.nodes[node]
    assert (product.name, product.wide and product.wide.bits) == ("mul", 64)
    assert some.graph.nodes[product.operands[1]].name == "1/3"


def test_a_shift_by_a_number_is_wiring_of_as_many_bits_as_stay(some: Operators) -> None:
    a, c, n = put(some, "int", "a"), put(some, "char", "c"), put(some, "int", "n")
    left, right = (Operation(kind, "int") for kind in ("<<", ">>"))
    assert told(some, shifted(some, left, c, put(some, 3))) == ("op", "shift", 11, (c,))
    assert told(some, shifted(some, left, c, put(some, 30)))[2] == 32
    assert told(some, shifted(some, right, a, put(some, 5))) == ("op", "shift", 27, (a,))
    assert told(some, shifted(some, right, c, put(some, 20)))[2] == 1
    assert shifted(some, left, a, put(some, 2)) == a  # its bits are those of the type
    assert shifted(some, right, a, put(some, 0)) == a
    by_data = some.graph.nodes[shifted(some, right, a, n)]
    assert (by_data.name, by_data.format.bits, by_data.operands) == ("shift", 32, (a, n))
    assert by_data.delay == pytest.approx(3.9 + 32 * 0.011)
    f = put(some, FIXED, "f")
    assert shifted(some, left, f, put(some, 2)) == f


@pytest.mark.parametrize(("kind", "mask", "bits"), [("&", 15, 4), ("&", 2**20, 8), ("&", 0, 8), ("|", 15, 8)])
def test_logic_with_a_number_is_wiring(kind: str, mask: int, bits: int, some: Operators) -> None:
    c = put(some, "char", "c")
    for operands in ((c, put(some, mask)), (put(some, mask), c)):
        at = some.graph.nodes[binary(some, Operation(kind, "int"), *operands, None)]
        assert (at.kind, at.name, at.operands, at.delay) == ("op", f"{kind}{mask}", (c,), 0.0)
        assert (at.format.bits, at.format.signed) == (bits, kind == "|" or not mask)
    assert told(some, binary(some, Operation("^", "int"), c, put(some, mask), None))[1] == "logic"


def test_a_choice_has_a_format_for_both_sides(some: Operators) -> None:
    test, c, u = put(some, BIT, "t"), put(some, "char", "c"), put(some, "unsigned char", "u")
    at = some.graph.nodes[chosen(some, Operation("?:", "int"), test, c, u)]
    assert (at.name, at.format, at.operands) == ("select", Format("integer", 9), (test, c, u))


def test_next_to_floating_point_a_whole_number_is_converted(some: Operators) -> None:
    f, i = put(some, "float", "f"), put(some, "int", "i")
    for operands in ((f, i), (i, f)):
        at = some.graph.nodes[binary(some, Operation("+", "float"), *operands, None)]
        assert [some.graph.nodes[each].format.family for each in at.operands] == ["float", "float"]
        assert [some.graph.nodes[each].name for each in at.operands if each != f] == ["from_integer"]
    with_number = some.graph.nodes[binary(some, Operation("*", "float"), f, put(some, 3), None)]
    (three,) = (each for each in with_number.operands if each != f)
    assert (some.graph.nodes[three].unit, some.graph.nodes[three].format) == ("constant", FLOAT)
    d = put(some, "double", "d")
    mixed = some.graph.nodes[binary(some, Operation("+", "double"), f, d, None)]
    assert {some.graph.nodes[each].format.bits for each in mixed.operands} == {64}


def test_operations_on_bits(some: Operators) -> None:
    a, n, bit = put(some, "int", "a"), put(some, "int", "n"), put(some, BIT, "b")
    high, low = put(some, 11), put(some, 4)
    part = Operation("bits", "ap_uint<8>")
    assert told(some, bits_of(some, part, (a, high, low))) == ("op", "[4]", 8, (a,))
    cut = some.graph.nodes[bits_of(some, part, (a, high, n))]
    assert (cut.name, cut.format.bits, some.graph.nodes[cut.operands[0]].name) == ("cut", 8, "shift")
    assert some.graph.nodes[cut.operands[0]].operands == (a, n)
    assert told(some, bits_of(some, Operation("join", "ap_uint<33>"), (a, bit))) == ("op", "join", 33, (a, bit))
    assert told(some, bits_of(some, Operation("list", "struct s"), (a, n, bit)))[:3] == ("op", "join", 65)
    assert told(some, bits_of(some, Operation("member", "char", text="x"), (a,))) == ("op", ".x", 8, (a,))
    reduced = some.graph.nodes[bits_of(some, Operation("reduce", "bool"), (a,))]
    assert (reduced.name, reduced.format, reduced.wide) == ("cmp", BIT, INT)
    known = told(some, bits_of(some, Operation("insert", "int"), (a, high, low, bit)))
    assert known == ("op", "join", 32, (a, bit))
    by_data = some.graph.nodes[bits_of(some, Operation("insert", "int"), (a, high, n, bit))]
    assert (by_data.name, len(by_data.operands), by_data.format) == ("logic", 3, Format("integer", 32, 0, False))


def test_conversions_between_fixed_point_formats_are_wiring(some: Operators) -> None:
    i, f, x = put(some, "int", "i"), put(some, "float", "f"), put(some, FIXED, "x")
    assert told(some, some.converted(i, CHAR))[:3] == ("op", "cut", 8)
    assert some.converted(i, Format.of("long")) == i
    assert some.converted(x, INT) == x
    whole = some.graph.nodes[some.converted(f, INT)]  # once it is a whole number, no other conversion follows
    assert (whole.name, whole.format, some.converted(whole.index, INT)) == ("cut", INT, whole.index)
    assert told(some, whole.operands[0]) == ("op", "to_integer", 32, (f,))
    assert some.graph.nodes[some.converted(f, DOUBLE)].format == DOUBLE
    assert some.converted(f, FLOAT) == f
    assert some.narrowed(i, Format.of("long")) == i
    assert told(some, some.narrowed(i, CHAR)) == ("op", "cut", 8, (i,))
    assert told(some, some.narrowed(x, fixed(16, 4)))[1] == "cut"
    assert some.narrowed(f, INT) == f
    assert some.narrowed(put(some, 3), CHAR) == put(some, 3)


# Formats


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("bool", Format("integer", 1, 0, False)), ("signed char", Format("integer", 8)),
        ("unsigned short", Format("integer", 16, 0, False)), ("unsigned long long", Format("integer", 64, 0, False)),
        ("__int128", Format("integer", 128)), ("double", Format("double", 64)), ("ap_int<5>", Format("integer", 5)),
        ("ap_uint< 7 >", Format("integer", 7, 0, False)), ("ap_ufixed<12, 4>", Format("fixed", 12, 8, False)),
        ("ap_fixed<8,-2>", Format("fixed", 8, 10)), ("ap_fixed<8,3,AP_RND,AP_SAT>", Format("fixed", 8, 5)),
        ("enum color", Format("integer", 32)), ("wchar_t", Format("integer", 32)),
    ],
)  # fmt: skip
def test_formats_of_types(text: str, found: Format) -> None:
    assert Format.of(text) == found
    assert found.whole == found.bits - found.fraction


def test_a_type_without_operators_is_refused_at_its_place() -> None:
    with pytest.raises(InputError) as refused:
        Format.of("struct pair", "k.cpp:3:4")
    assert str(refused.value) == (
        "k.cpp:3:4: type 'struct pair' has no operators here (known: integers, half, float, double, ap_int, "
        "ap_uint, ap_fixed, ap_ufixed)"
    )


def test_an_array_of_structs_holds_the_bits_of_all_its_numbers() -> None:
    fields = (("x", "int", 32), ("y", "char", 8))
    assert Format.held(Array(name="a", fields=fields, type="struct p")) == Format("struct", 40, 0, False)
    assert Format.held(Array(name="a", type="short")) == Format("integer", 16)


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        (CHAR, CHAR, CHAR), (CHAR, UNSIGNED, Format("integer", 9)), (UNSIGNED, UNSIGNED, UNSIGNED),
        (UNSIGNED, INT, INT), (FLOAT, INT, FLOAT), (INT, DOUBLE, DOUBLE), (FLOAT, DOUBLE, DOUBLE),
        (fixed(16, 8), fixed(12, 10), fixed(18, 10)), (fixed(16, 8), UNSIGNED, fixed(17, 9)),
    ],
)  # fmt: skip
def test_the_common_format_holds_both(left: Format, right: Format, found: Format) -> None:
    assert joined(left, right) == joined(right, left) == found


@pytest.mark.parametrize(
    ("name", "left", "right", "most", "found"),
    [
        ("add", CHAR, CHAR, INT, Format("integer", 9)), ("sub", UNSIGNED, UNSIGNED, INT, Format("integer", 9)),
        ("mul", CHAR, INT, INT, INT), ("div", CHAR, INT, INT, Format("integer", 8)), ("add", CHAR, CHAR, None, CHAR),
        ("add", UNSIGNED, UNSIGNED, UNSIGNED, UNSIGNED), ("add", CHAR, CHAR, FLOAT, CHAR),
        ("add", fixed(16, 8), fixed(16, 8), None, fixed(17, 9)), ("div", fixed(16, 8), fixed(12, 4), None,
                                                                  Format("fixed", 24, 8)),
        ("mul", fixed(16, 8), fixed(12, 4), None, Format("fixed", 28, 16)), ("mul", FLOAT, INT, INT, FLOAT),
    ],
)  # fmt: skip
def test_the_full_format_of_a_result(
    name: str, left: Format, right: Format, most: Format | None, found: Format
) -> None:
    assert result(name, left, right, most) == found


@pytest.mark.parametrize(("device", "clock"), [("xczu7ev-ffvf1517-3-e", 10), ("xczu9eg", 3), ("xc7z020", 20)])
def test_a_divider_takes_the_same_states_at_every_clock(device: str, clock: float) -> None:
    """R2.8: sdiv_32ns_32ns_32_36_seq_1."""
    assert load_library(device, clock).operator("div", Format("integer", 32)).states == 36
