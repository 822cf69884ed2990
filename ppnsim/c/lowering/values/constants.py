"""Evaluates constants: ``static const fix_t STEP = 0.125;`` is that number everywhere, and ``ceil_div(8, 3)`` is 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.c.kinds import Kind
from ppnsim.c.plain.evaluate import number_of
from ppnsim.c.plain.nodes import number, statements, with_children
from ppnsim.c.syntax import Function, SyntaxNode, Variable

_PARTS: frozenset[Kind] = frozenset(("integer", "real", "cast", "binary"))


def constant_of(node: SyntaxNode) -> SyntaxNode | None:
    """Return the initialiser of a global or static constant number, None if its value depends on data."""
    variable = node.variable
    if variable is None or variable.scope not in ("global", "static") or not variable.type.const:
        return None
    initial = variable.initial
    return initial if initial is not None and variable.type.kind == "real" and _is_number(initial) else None


def _is_number(node: SyntaxNode) -> bool:
    """Return whether an expression consists of numbers and of such constants."""
    if node.kind == "name":
        of, initial = node.type, node.variable.initial if node.variable is not None else None
        return constant_of(node) is not None or (
            of.kind == "integer" and of.const and initial is not None and _is_number(initial)
        )
    made = node.kind in _PARTS or (node.kind == "unary" and node.text in ("-", "+"))
    return made and all(_is_number(child) for child in node.children)


_DEEPEST = 64
"""Most levels of nested calls that are evaluated."""


def is_formula(function: Function) -> bool:
    """Return whether a function only returns an integer computed from its arguments."""
    body = statements(function.body)
    return function.result.kind == "integer" and len(body) == 1 and body[0].kind == "return" and bool(body[0].children)


_PAIRS = ((3, 5), (5, 3), (-7, 2), (2, -7), (4, 4))


def extreme(call: SyntaxNode, functions: Mapping[str, Function]) -> str:
    """Return ``<`` for a call of ``min`` of two numbers, ``>`` for a call of ``max``, "" for other calls.

    A function of the source with such a name counts if its results for some pairs of numbers are those of min or max.
    """
    name = call.text.rpartition("::")[2]
    if call.kind != "call" or len(call.children) != 2 or name not in ("min", "max"):
        return ""
    own, of = functions.get(call.text), min if name == "min" else max
    if own is not None and own.body is not None and not own.system:
        formulas = Formulas(functions)
        if any(formulas.result(call.text, pair) != of(pair) for pair in _PAIRS):
            return ""
    return "<" if name == "min" else ">"


@dataclass(slots=True)
class Formulas:
    """Evaluates calls of formulas, each only once, also of recursive ones (``constexpr`` functions may be)."""

    functions: Mapping[str, Function]
    known: dict[tuple[str, tuple[int, ...]], int | None] = field(default_factory=dict)
    depth: int = 0

    def called(self, call: SyntaxNode, given: tuple[int, ...]) -> int | None:
        """Return the value of a call, from the compiler (``constexpr``) or from a formula; None if it is data."""
        evaluated = call.value is not None or len(given) != len(call.children)
        return call.value if evaluated else self.result(call.text, given)

    def result(self, name: str, given: tuple[int, ...]) -> int | None:
        """Return the value of a call of a formula, None if it is not known or the function is not a formula."""
        function = self.functions.get(name)
        if function is None or not is_formula(function) or len(function.parameters) != len(given):
            return None
        if (name, given) not in self.known:
            if self.depth >= _DEEPEST:
                return None
            self.depth += 1
            values = dict(zip(function.parameters, given, strict=True))
            returned = statements(function.body)[0].children[0]
            self.known[name, given] = number_of(self._opened(returned, values), values)
            self.depth -= 1
        return self.known[name, given]

    def _opened(self, node: SyntaxNode, values: Mapping[Variable, int]) -> SyntaxNode:
        """Return an expression in which the values replace the calls that can be evaluated."""
        if node.kind == "choice":
            test = number_of(self._opened(node.children[0], values), values)
            if test is not None:
                return self._opened(node.children[1 if test else 2], values)
        plain = with_children(node, tuple(self._opened(child, values) for child in node.children))
        given = [number_of(child, values) for child in plain.children] if plain.kind == "call" else []
        known = tuple(each for each in given if each is not None)
        found = self.result(plain.text, known) if plain.kind == "call" and len(known) == len(given) else None
        return plain if found is None else number(plain, found, plain.type)
