"""Rewrites algorithms of the standard library on consecutive elements as loops: ``std::fill(a, a + n, 0)``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang.methods import name_of
from ppnsim.c.clang.names import parts, std_array
from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.nodes import BOOL, INT, assign, binary, block_of, counting, number
from ppnsim.c.syntax import VOID, CType, Function, SyntaxNode, Variable
from ppnsim.loops.position import Position

_BEGINS, _ENDS = ("begin", "cbegin", "data"), ("end", "cend")
_COUNTED = {"fill_n": "fill", "copy_n": "copy"}
KNOWN = frozenset(("fill", "copy", "iota", "accumulate", "inner_product", "min_element", "max_element", *_COUNTED))
"""The algorithms that are supported, in their forms without a function as an argument."""
_COMPARED = ("==", "!=", "<", ">", "<=", ">=")
_TAKEN = {"accumulate": 3, "inner_product": 4, "min_element": 2, "max_element": 2}


def end_of(cursor: Any, read: Callable[[Any], SyntaxNode]) -> SyntaxNode | None:
    """Return the place of the first element of an array, or after its last element; None for other calls.

    These are methods of ``std::array``, and functions of the same names.
    """
    called, name = cursor.referenced, cursor.spelling
    if called is None or name not in (*_BEGINS, *_ENDS):
        return None
    target, arguments = parts(cursor)
    if called.kind.name == "FUNCTION_DECL":
        target = arguments[0] if len(arguments) == 1 else None
    elif std_array(called.semantic_parent.type.get_canonical().spelling) is None:
        return None
    array = None if target is None else read(target)
    if array is None or array.type.kind != "array" or not isinstance(array.type.size, int):
        return None
    return array if name in _BEGINS else place_at(array, number(array, array.type.size))


def filled(cursor: Any, read: Callable[[Any], SyntaxNode]) -> tuple[SyntaxNode, SyntaxNode] | None:
    """Return the ``std::array`` that a call of its method ``fill`` sets, and its size; None for other calls."""
    called = cursor.referenced
    if cursor.spelling != "fill" or called is None or called.kind.name != "CXX_METHOD":
        return None
    target, count = parts(cursor)[0], std_array(called.semantic_parent.type.get_canonical().spelling)
    if target is None or count is None:
        return None
    array = read(target)
    return array, number(array, count)


def place_at(first: SyntaxNode, offset: SyntaxNode) -> SyntaxNode:
    """Return the place that is ``offset`` elements after another one."""
    to = CType("pointer", "", 64, False, first.type.element)
    return binary("+", first, offset, to)


def difference(node: SyntaxNode) -> SyntaxNode:
    """Return the number of elements between two places of an array, ``p - a``; return other operators unchanged.

    Two places are compared by their indices, ``p != a + n``.
    """
    pair = [each.bare for each in node.children]
    if node.text not in ("-", *_COMPARED) or any(each.type.kind not in ("array", "pointer") for each in pair):
        return node
    (first, more), (second, less) = map(_place, pair)
    if str(first) != str(second):
        return node
    if node.text != "-":
        return replace(node, children=(more, less))
    return more if less.value == 0 else binary("-", more, less, counting(more, less))


def clamped(node: SyntaxNode) -> SyntaxNode:
    """Return ``std::clamp`` as choices of its arguments, which are numbers without side effects; refuse others."""
    value, low, high = node.children
    effects = any(each.kind in ("token", "call", "assign") or each.text in STEPS for each in node.walk())
    if effects or any(each.type.kind not in ("integer", "real") for each in node.children):
        words = "std::clamp of other than numbers without effects (name them first, then use std::min and std::max)"
        return replace(node, kind="other", text=words)
    below, above = binary("<", value, low, BOOL), binary("<", high, value, BOOL)
    return replace(node, children=(below, low, replace(node, children=(above, high, value))), type=value.type)


def as_loop(name: str, arguments: Sequence[SyntaxNode], at: Position) -> tuple[Function, list[SyntaxNode]] | None:
    """Return an algorithm as a function with a loop, and its arguments; None for a form that is not supported."""
    if name not in KNOWN or not 2 <= len(arguments) == _TAKEN.get(name, 3):
        return None
    if (found := row_of(arguments, counted=name in _COUNTED)) is None:
        return None
    element, count = found
    rest = list(arguments[2:])
    made = AlgorithmLoop(element, count, at).function(_COUNTED.get(name, name), [each.type for each in rest])
    return made, [arguments[0], count, *rest]


def row_of(
    arguments: Sequence[SyntaxNode], *, counted: bool = False, kinds: Sequence[str] = ("integer", "real")
) -> tuple[CType, SyntaxNode] | None:  # fmt: skip
    """Return the element type and the number of elements between two places of an array, None for other places."""
    first, offset = _place(arguments[0])
    element = first.type.element
    if element is None or element.kind not in kinds:
        return None
    if counted:
        return element, arguments[1]
    other, end = _place(arguments[1])
    if str(other) != str(first):
        return None
    if end.value is not None and offset.value is not None:
        return element, number(arguments[1], end.value - offset.value)
    return element, end if offset.value == 0 else binary("-", end, offset, counting(end, offset))


def is_reversed(arguments: Sequence[SyntaxNode]) -> bool:
    """Return whether the second argument of an algorithm is a place before the first one."""
    if len(arguments) < 2 or any(each.type.kind not in ("array", "pointer") for each in arguments[:2]):
        return False
    (base, first), (other, last) = map(_place, arguments[:2])
    if str(base) != str(other) or first.bare.value is None or last.bare.value is None:
        return False
    return last.bare.value < first.bare.value


def _place(node: SyntaxNode) -> tuple[SyntaxNode, SyntaxNode]:
    """Return the array to which a place belongs, and the index of the element."""
    bare = node.bare
    if bare.kind == "binary" and bare.text == "+" and bare.children[0].bare.type.kind in ("array", "pointer"):
        base, before = _place(bare.children[0])
        after = bare.children[1]
        if before.value is not None and after.bare.value is not None:
            return base, number(node, before.value + after.bare.value)
        return base, after if before.value == 0 else binary("+", before, after, counting(before, after))
    if bare.kind == "unary" and bare.text == "&" and bare.children[0].bare.kind == "index":
        return bare.children[0].bare.children[0].bare, bare.children[0].bare.children[1]
    return bare, number(node, 0)


class AlgorithmLoop:
    """Makes the function of an algorithm for elements of one type; their number is a parameter."""

    def __init__(self, element: CType, count: SyntaxNode, at: Position) -> None:
        self.at, self.element = at, replace(element, const=False)
        self.counter = Variable("at", counting(count), "local", at)
        self.count = self.variable("count", self.counter.type)

    def variable(self, name: str, of: CType) -> Variable:
        """Return a parameter."""
        return Variable(name, of, "parameter", self.at)

    def named(self, variable: Variable) -> SyntaxNode:
        """Return the name of a variable."""
        return name_of(variable, self.at)

    def row(self, name: str, element: CType) -> Variable:
        """Return a parameter that points to the first element of a range."""
        return self.variable(name, CType("pointer", f"{element.text} *", 64, False, element))

    def element_of(self, row: Variable) -> SyntaxNode:
        """Return the element of a range in an iteration."""
        assert row.type.element is not None
        subscript = (self.named(row), self.named(self.counter))
        return SyntaxNode("index", self.at, row.type.element, subscript, end=self.at.line)

    def declared(self, name: str, of: CType, value: SyntaxNode) -> tuple[Variable, SyntaxNode]:
        """Return a variable with a value, and its declaration."""
        made = Variable(name, of, "local", self.at, value)
        return made, SyntaxNode("declare", self.at, of, (value,), variable=made, end=self.at.line)

    def function(self, name: str, rest: Sequence[CType]) -> Function:
        """Return the function; its parameters are a range, its length, and the algorithm's other arguments."""
        first, count = self.row("first", self.element), self.count
        here = self.element_of(first)
        others: list[Variable] = []
        before: list[SyntaxNode] = []
        result: SyntaxNode | None = None
        if name in ("fill", "iota"):
            others = [self.variable("value", self.element)]
            value = self.named(others[0])
            step = assign(here, value if name == "fill" else binary("+", value, self.named(self.counter), self.element))
        elif name == "copy":
            others = [self.row("result", rest[0].element or self.element)]
            step = assign(self.element_of(others[0]), here)
        elif name in ("accumulate", "inner_product"):
            of = replace(rest[-1], const=False)
            rows = [self.row("second", rest[0].element or self.element)] if name == "inner_product" else []
            others = [*rows, self.variable("start", of)]
            total, start = self.declared("total", of, self.named(others[-1]))
            before = [start]
            term = binary("*", here, self.element_of(rows[0]), of) if rows else here
            result = self.named(total)
            step = assign(result, binary("+", result, term, of))
        else:
            return self.extreme(name, first)
        return self.made(name, [first, count, *others], [*before, self.loop([step], 0)], result)

    def extreme(self, name: str, first: Variable) -> Function:
        """Return the function that finds the index of the first smallest or largest element."""
        zero = SyntaxNode("index", self.at, self.element, (self.named(first), number(self.named(first), 0)))
        best, first_best = self.declared("best", self.element, zero)
        place, first_place = self.declared("place", self.counter.type, number(zero, 0))
        before = [first_best, first_place]
        here, held, at = self.element_of(first), self.named(best), self.named(place)
        new = block_of(here, [assign(held, here), assign(at, self.named(self.counter))])
        test = binary("<" if name == "min_element" else ">", here, held, INT)
        step = SyntaxNode("if", self.at, children=(test, new), end=self.at.line)
        return self.made(name, [first, self.count], [*before, self.loop([step], 1)], at)

    def loop(self, steps: Sequence[SyntaxNode], first: int) -> SyntaxNode:
        """Return the loop over the elements."""
        name, of = self.named(self.counter), self.counter.type
        start = SyntaxNode("declare", self.at, of, (number(name, first),), variable=self.counter, end=self.at.line)
        test = binary("<", name, self.named(self.count), INT)
        step = SyntaxNode("unary", self.at, of, (name,), "++", end=self.at.line)
        return SyntaxNode("for", self.at, children=(start, test, step, block_of(name, steps)), end=self.at.line)

    def made(
        self, name: str, parameters: Sequence[Variable], body: Sequence[SyntaxNode], result: SyntaxNode | None
    ) -> Function:  # fmt: skip
        """Return a function with some statements and a result."""
        last = [] if result is None else [SyntaxNode("return", self.at, result.type, (result,), end=self.at.line)]
        kinds = "_".join(each.type.text for each in parameters)
        unique = "".join(
            each if each.isalnum() else "_" for each in f"std_{name}_{kinds}_{self.at.line}_{self.at.column}"
        )
        of = VOID if result is None else result.type
        block = SyntaxNode("block", self.at, children=(*body, *last), end=self.at.line)
        return Function(unique, tuple(parameters), of, block, self.at, self.at.line)
