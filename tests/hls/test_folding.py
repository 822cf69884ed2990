"""Constants in expressions (R1.1): each operator computed as C computes it, and nothing else touched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppnsim.hls.structure.folding import Table, fold, folded, tables_of
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.trees import Pipeline, Serial, changed
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Array, Operation, Statement

X = Access("x", ())
STATEMENT = Statement(name="s", reads=(X,), writes=(Access("y", ()),))
READ = Operation("read", "int", read=0)


def number(text: object, of: str = "int") -> Operation:
    return Operation("constant", of, text=str(text))


def value(kind: str, *operands: object, of: str = "int") -> str | Operation:
    """What an operation on numbers (or operations) is folded to: the text of a number, or what is left of it."""
    parts = tuple(each if isinstance(each, Operation) else number(each, of) for each in operands)
    found = fold(Operation(kind, of, parts), STATEMENT, {})
    return found.text if found.kind == "constant" else found


@pytest.mark.parametrize(
    ("a", "kind", "b", "found"),
    [
        (7, "+", 5, 12), (7, "-", 9, -2), (7, "*", -3, -21), (7, "/", 2, 3), (-7, "/", 2, -3), (7, "/", -2, -3),
        (-7, "/", -2, 3), (7, "%", 3, 1), (-7, "%", 3, -1), (7, "%", -3, 1), (6, "&", 3, 2), (6, "|", 3, 7),
        (6, "^", 3, 5), (3, "<<", 2, 12), (13, ">>", 2, 3), (2, "<", 2, 0), (1, "<", 2, 1), (2, "<=", 2, 1),
        (3, "<=", 2, 0), (2, ">", 2, 0), (3, ">", 2, 1), (2, ">=", 2, 1), (1, ">=", 2, 0), (2, "==", 2, 1),
        (2, "==", 3, 0), (2, "!=", 2, 0), (2, "!=", 3, 1), (0, "&&", 3, 0), (0, "||", 3, 1),
        (1, "||", 0, 1), (2, "&&", 3, 1), (2, "&&", 0, 0), (0, "||", 0, 0),
    ],
)  # fmt: skip
def test_two_numbers_are_computed_as_c_does(a: int, kind: str, b: int, found: int) -> None:
    assert value(kind, a, b) == str(found)


@pytest.mark.parametrize(("kind", "found"), [("-x", -6), ("+x", 6), ("~x", -7), ("!x", 0), ("cast", 6)])
def test_one_number_is_computed(kind: str, found: int) -> None:
    assert value(kind, 6) == str(found)
    assert value("!x", 0) == "1"
    assert [value(sign, "6.5", of="double") for sign in ("-x", "+x")] == ["-6.5", "6.5"]


@pytest.mark.parametrize(("kind", "b"), [("/", 0), ("%", 0), ("<<", -1), ("<<", 128), (">>", 128)])
def test_what_has_no_value_is_left_to_the_hardware(kind: str, b: int) -> None:
    left = value(kind, 6, b)
    assert isinstance(left, Operation)
    assert left.kind == kind


@pytest.mark.parametrize(
    ("of", "number_", "found"),
    [
        ("char", 127, 127), ("char", 128, -128), ("char", 200, -56), ("unsigned char", 200, 200),
        ("unsigned char", 256, 0), ("short", 40000, -25536), ("int", 2**31 - 1, 2**31 - 1), ("int", 2**31, -(2**31)),
        ("unsigned int", 2**31, 2**31), ("unsigned int", -1, 2**32 - 1), ("bool", 1, 1),
    ],
)  # fmt: skip
def test_numbers_are_wrapped_to_the_bits_of_their_type(of: str, number_: int, found: int) -> None:
    tree = Operation("cast", of, (number(number_, "long"),))
    assert fold(tree, STATEMENT, {}) == number(found, of)


@pytest.mark.parametrize(
    ("kind", "left", "right", "found"),
    [
        ("+", READ, 0, READ), ("+", 0, READ, READ), ("-", READ, 0, READ), ("*", READ, 1, READ), ("*", 1, READ, READ),
        ("*", READ, 0, "0"), ("*", 0, READ, "0"), ("&&", READ, 0, "0"), ("&&", 0, READ, "0"), ("||", READ, 3, "1"),
        ("&&", READ, 3, READ), ("||", 0, READ, READ),
    ],
)  # fmt: skip
def test_what_a_number_makes_of_an_operation(kind: str, left: object, right: object, found: object) -> None:
    assert value(kind, left, right) == found


@pytest.mark.parametrize(("kind", "left", "right"), [("-", 0, READ), ("+", READ, 1), ("*", READ, 2), ("/", READ, 1)])
def test_what_is_not_neutral_stays(kind: str, left: object, right: object) -> None:
    kept = value(kind, left, right)
    assert isinstance(kept, Operation)
    assert (kept.kind, len(kept.operands)) == (kind, 2)


def test_neutral_numbers_are_those_of_whole_numbers_only() -> None:
    real = value("+", Operation("read", "float", read=0), number("0"), of="float")
    assert isinstance(real, Operation)
    assert real.kind == "+"


@pytest.mark.parametrize(
    ("kind", "found"), [("+", "2.0"), ("-", "1.0"), ("*", "0.75"), ("/", "3.0")]
)  # fmt: skip
def test_floating_point_is_computed_from_two_numbers(kind: str, found: str) -> None:
    assert value(kind, number("1.5f", "float"), number("0.5", "float"), of="float") == found


def test_floating_point_that_is_none_stays() -> None:
    for kind, a, b in (("/", "1.5", "0"), ("<", "1.5", "2"), ("+", "nan(1)", "2")):
        kept = value(kind, number(a, "float"), number(b, "float"), of="float")
        assert isinstance(kept, Operation)
        assert kept.kind == kind
    alone = fold(Operation("cast", "float", (number(3),)), STATEMENT, {})
    assert alone == number("3.0", "float")


def test_a_choice_that_is_made_is_one_of_its_sides() -> None:
    sides = READ, Operation("iterator", "int", text="i")
    for test, found in ((1, sides[0]), (-2, sides[0]), (0, sides[1])):
        assert value("?:", number(test), *sides) == found
    kept = value("?:", READ, *sides)
    assert isinstance(kept, Operation)
    assert kept.kind == "?:"


# Tables


TABLE: dict[str, Table] = {"t": [[1, 2], [3]]}


@pytest.mark.parametrize(
    ("subscripts", "random", "found"),
    [((0, 1), False, "2"), ((1, 0), False, "3"), ((1, 1), False, "0"), ((2, 0), False, "0"), ((0, -1), False, None),
     ((0,), False, None), ((0, 1), True, None), ((0, 1, 0), False, None)],
)  # fmt: skip
def test_an_element_of_a_constant_table_is_its_number(
    subscripts: tuple[int, ...], random: bool, found: str | None
) -> None:
    access = Access("t", tuple(map(Affine.of, subscripts)), random=random)
    tree = fold(READ, replace(STATEMENT, reads=(access,)), TABLE)
    assert (tree.text if tree.kind == "constant" else None) == found
    assert fold(READ, replace(STATEMENT, reads=(access,)), {}) == READ


def test_tables_are_arrays_with_numbers_that_nobody_writes() -> None:
    arrays = [
        Array(name="a", shape=(2,), initial="{1, -2}"), Array(name="b", shape=(2,), initial="{1, 2}"),
        Array(name="c", shape=(), initial="3"), Array(name="d", shape=(2,)), Array(name="e", shape=(1,), initial="{f}"),
        Array(name="g", shape=(1,), initial="{0.5}"),
    ]  # fmt: skip
    assert tables_of(arrays, frozenset({"b"})) == {"a": [1, -2], "g": [0.5]}


def test_reads_that_are_no_longer_needed_are_gone_and_the_others_are_numbered_anew() -> None:
    access = Access("t", (Affine.of(0), Affine.of(1)))
    tree = Operation("+", "int", (Operation("read", "int", read=0), Operation("read", "int", read=1)))
    statement = replace(STATEMENT, reads=(access, X, Access("unread", ())), value=tree)
    found = folded(statement, TABLE)
    assert found.reads == (X, Access("unread", ()))
    assert found.value == Operation("+", "int", (number(2), Operation("read", "int", read=0)))
    assert folded(statement, {}) == statement
    assert folded(STATEMENT, TABLE) is STATEMENT
    indexed = folded(replace(statement, index=(Operation("+", "int", (number(1), number(2))),)), {})
    assert indexed.index == (number(3),)


# Trees


def named(name: str) -> GuardedStatement:
    return GuardedStatement(replace(STATEMENT, name=name), ())


def test_every_statement_of_a_tree_is_changed() -> None:
    pipeline = Pipeline((), (named("b"),), (named("a"),), (named("c"),))
    found = changed([Serial((), (pipeline, named("d"))), named("e")], lambda s: replace(s, name=s.name.upper()))
    serial, last = found
    assert isinstance(serial, Serial) and isinstance(last, GuardedStatement)
    inner, after = serial.body
    assert isinstance(inner, Pipeline) and isinstance(after, GuardedStatement)
    sides = (inner.before, inner.steps, inner.after, (after,), (last,))
    assert [[step.statement.name for step in side] for side in sides] == [["A"], ["B"], ["C"], ["D"], ["E"]]
