"""What is simplified before it is scheduled, operation by operation (R9.15)."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.simplify import number, simplify
from ppnsim.hls.library.library import Library, load_library
from ppnsim.hls.library.types import Format

FLOAT, DOUBLE, INT = Format.of("float"), Format.of("double"), Format.of("int")


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library("xcvu9p", 3.33)


@dataclass
class Made:
    """A graph with a name for each node."""

    graph: Graph = field(default_factory=Graph)

    def value(self, format_: Format = FLOAT, name: str = "x") -> int:
        return self.graph.add("input", name, format_)

    def constant(self, text: str, format_: Format = FLOAT) -> int:
        return self.graph.add("input", text, format_, unit="constant")

    def op(
        self, name: str, *operands: int, format_: Format = FLOAT, negative: int = -1, wide: Format | None = None
    ) -> int:
        return self.graph.add(
            "op", name, format_, operands, states=0 if format_ == INT else 9, wide=wide or format_, negative=negative
        )

    def told(self, node: int) -> str:
        found = self.graph.nodes[node]
        inside = ", ".join(self.told(each) for each in found.operands)
        minus = "" if found.negative < 0 else f" -{found.negative}"
        form = {FLOAT: "f", DOUBLE: "d", INT: "i"}[found.format]
        return found.name if found.kind == "input" else f"{found.name}.{form}({inside}){minus}"


# Of real numbers: the operation, its operands (x and y are values), and what becomes of it: by the rules, and where
# results may change.
REAL = [
    ("add", "x", "0.0", -1, "add.f(x, 0.0)", "wire.f(x)"),
    ("add", "0.0", "x", -1, "add.f(0.0, x)", "wire.f(x)"),
    ("add", "x", "0.0", 1, "add.f(x, 0.0) -1", "wire.f(x)"),
    ("add", "0.0", "x", 1, "add.f(0.0, x) -1", "add.f(0.0, x) -1"),
    ("add", "x", "1.0", -1, "add.f(x, 1.0)", "add.f(x, 1.0)"),
    ("add", "x", "y", -1, "add.f(x, y)", "add.f(x, y)"),
    ("mul", "x", "1.0", -1, "wire.f(x)", "wire.f(x)"),
    ("mul", "1.0f", "x", -1, "wire.f(x)", "wire.f(x)"),
    ("mul", "x", "2.0", -1, "mul.f(x, 2.0)", "mul.f(x, 2.0)"),
    ("mul", "x", "0.0", -1, "mul.f(x, 0.0)", "mul.f(x, 0.0)"),
    ("mul", "x", "y", -1, "mul.f(x, y)", "mul.f(x, y)"),
    ("cmp", "x", "1.0", -1, "cmp.f(x, 1.0)", "cmp.f(x, 1.0)"),
    ("div", "x", "4.0", -1, "mul.f(x, 4.0)", "mul.f(x, 4.0)"),
    ("div", "x", "0.25", -1, "mul.f(x, 0.25)", "mul.f(x, 0.25)"),
    ("div", "x", "-2.0", -1, "mul.f(x, -2.0)", "mul.f(x, -2.0)"),
    ("div", "x", "1.0", -1, "mul.f(x, 1.0)", "mul.f(x, 1.0)"),
    ("div", "x", "3.0", -1, "div.f(x, 3.0)", "mul.f(x, 3.0)"),
    ("div", "x", "0.0", -1, "div.f(x, 0.0)", "div.f(x, 0.0)"),
    ("div", "1.0", "x", -1, "div.f(1.0, x)", "reciprocal.f(1.0, x)"),
    ("div", "2.0", "x", -1, "div.f(2.0, x)", "div.f(2.0, x)"),
    ("div", "x", "y", -1, "div.f(x, y)", "div.f(x, y)"),
]


@pytest.mark.parametrize(("name", "left", "right", "negative", "exact", "unsafe"), REAL)
def test_numbers_that_change_nothing_are_left_out(
    name: str, left: str, right: str, negative: int, exact: str, unsafe: str, library: Library
) -> None:
    for may_change, expected in ((False, exact), (True, unsafe)):
        made = Made()
        ends = [made.value(name=each) if each in "xy" else made.constant(each) for each in (left, right)]
        node = made.op(name, *ends, negative=negative)
        simplify(made.graph, library, unsafe=may_change)
        assert made.told(node) == expected
        found = made.graph.nodes[node]
        if expected.startswith("wire"):
            assert (found.states, found.delay, found.entry, found.unit, found.wide) == (0, 0.0, 0.0, "", None)
        elif not expected.startswith(name):
            operator = library.operator(found.name, FLOAT)
            assert (found.states, found.delay, found.unit) == (operator.states, operator.delay, operator.unit)
        else:
            assert found.states == 9


def test_whole_numbers_are_left_to_their_own_rules(library: Library) -> None:
    made = Made()
    one = made.constant("1", INT)
    nodes = [made.op(name, made.value(INT), one, format_=INT) for name in ("mul", "div")]
    simplify(made.graph, library, unsafe=True)
    assert [made.told(node) for node in nodes] == ["mul.i(x, 1)", "div.i(x, 1)"]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("x", "3"), ("4",), "add.i(x, 7)"), (("3", "x"), ("4",), "add.i(x, 7)"), (("x", "-3"), ("3",), "add.i(x, 0)"),
        (("x", "y"), ("4",), "add.i(add.i(x, y), 4)"), (("x", "3"), ("y",), "add.i(add.i(x, 3), y)"),
        (("x", "n"), ("4",), "add.i(add.i(x, n), 4)"),
    ],
)  # fmt: skip
def test_numbers_are_added_at_once(first: tuple[str, str], second: tuple[str], expected: str, library: Library) -> None:
    """``n`` is a constant that is no number: a parameter of which nobody knows the value."""
    made = Made()

    def end(text: str) -> int:
        return made.value(INT, text) if text in "xy" else made.constant(text, INT)

    inner = made.op("add", *map(end, first), format_=INT)
    outer = made.op("add", inner, end(second[0]), format_=INT)
    simplify(made.graph, library, unsafe=False)
    assert made.told(outer) == expected
    assert (made.graph.nodes[inner].kind == "dead") is ("add.i(add" not in expected)


def test_a_difference_is_not_added(library: Library) -> None:
    for negatives in ((1, -1), (-1, 1)):
        made = Made()
        inner = made.op("add", made.value(INT), made.constant("3", INT), format_=INT, negative=negatives[0])
        outer = made.op("add", inner, made.constant("4", INT), format_=INT, negative=negatives[1])
        simplify(made.graph, library, unsafe=False)
        assert made.told(outer).startswith("add.i(add.i(x, 3)")


def test_what_is_used_elsewhere_stays(library: Library) -> None:
    made = Made()
    inner = made.op("add", made.value(INT), made.constant("3", INT), format_=INT)
    outer = made.op("add", inner, made.constant("4", INT), format_=INT)
    made.op("use", inner, format_=INT)
    simplify(made.graph, library, unsafe=False)
    assert (made.told(outer), made.graph.nodes[inner].kind) == ("add.i(x, 7)", "op")


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("add", "y", "add.f(x, y)"), ("mul", "y", "mul.f(x, y)"), ("div", "y", "div.f(x, y)"),
        ("mul", "0.5", "mul.f(x, 0.5)"), ("add", "0.1", "cast.f(add.d(cast.d(x), 0.1))"),
        ("add", "d", "cast.f(add.d(cast.d(x), d))"),
    ],
)  # fmt: skip
def test_single_precision_that_is_cut_again_is_enough(name: str, other: str, expected: str, library: Library) -> None:
    """A double is one number with a float where it came from one, or is written with few digits."""
    made = Made()

    def wide(text: str) -> int:
        if text in "xy":
            return made.op("cast", made.value(FLOAT, text), format_=DOUBLE)
        return made.value(DOUBLE, text) if text == "d" else made.constant(text, DOUBLE)

    inner = made.op(name, wide("x"), wide(other), format_=DOUBLE)
    node = made.op("cast", inner, format_=FLOAT)
    simplify(made.graph, library, unsafe=False)
    assert made.told(node) == expected
    assert (made.graph.nodes[inner].kind == "dead") is (name not in expected or expected.startswith(name))


def test_a_float_that_becomes_a_double_and_a_float_is_itself(library: Library) -> None:
    made = Made()
    node = made.op("cast", made.op("cast", made.value(), format_=DOUBLE), format_=FLOAT)
    simplify(made.graph, library, unsafe=False)
    assert made.told(node) == "wire.f(x)"


@pytest.mark.parametrize(("other", "narrow"), [("0.5", True), ("0.1", False), ("y", True), ("d", False)])
def test_a_float_is_compared_as_one_with_a_number_that_is_one(other: str, narrow: bool, library: Library) -> None:
    made = Made()
    x = made.op("cast", made.value(), format_=DOUBLE)
    if other == "y":
        right = made.op("cast", made.value(FLOAT, "y"), format_=DOUBLE)
    else:
        right = made.value(DOUBLE, "d") if other == "d" else made.constant(other, DOUBLE)
    node = made.graph.add("op", "cmp", INT, (x, right), states=9, wide=DOUBLE)
    simplify(made.graph, library, unsafe=False)
    found = made.graph.nodes[node]
    assert (found.wide, made.graph.nodes[x].kind) == ((FLOAT, "dead") if narrow else (DOUBLE, "op"))
    assert found.states == (library.operator("cmp", FLOAT).states if narrow else 9)


@pytest.mark.parametrize(("text", "value"), [("1.0", 1.0), ("2.5f", 2.5), ("3L", 3.0), ("1e3", 1000.0), ("N", None)])
def test_a_number_is_read_as_c_writes_it(text: str, value: float | None) -> None:
    made = Made()
    assert number(made.graph.nodes[made.constant(text)]) == value
    assert number(made.graph.nodes[made.value(name=text)]) is None
    assert number(made.graph.nodes[made.constant(text, INT)]) is None
