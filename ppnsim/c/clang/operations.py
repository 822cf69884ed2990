"""Reads standard algorithms that call an operation on each element: ``std::transform(a, a + n, b, f)``.

An operation is a lambda, an object of a class with ``operator()``, a function, or an object of <functional>:
``std::plus<>``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang import names, tuples
from ppnsim.c.clang.algorithms import AlgorithmLoop, row_of
from ppnsim.c.clang.classes import is_lambda
from ppnsim.c.clang.closures import Closures
from ppnsim.c.clang.library import foreign, number_of, position
from ppnsim.c.clang.methods import address_of, name_of
from ppnsim.c.plain.nodes import BOOL, INT, assign, binary
from ppnsim.c.syntax import Function, SyntaxNode, Variable

WITH_OPERATION = {"for_each": (3,), "transform": (4, 5), "accumulate": (4,)}
"""The algorithms with supported operations, and how many arguments they then take."""
_OPERATORS = {
    "plus": "+", "minus": "-", "multiplies": "*", "divides": "/", "modulus": "%", "bit_and": "&", "bit_or": "|",
    "bit_xor": "^", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=", "equal_to": "==",
    "not_equal_to": "!=",
}  # fmt: skip
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_OF_LIBRARY = re.compile(r"(?:const )?std::(\w+)<.*>")
_CLASSES = ("CLASS_DECL", "STRUCT_DECL")
_OTHER = "that is not followed here (give it a lambda without mutable)"
_NOT_APPLIED = "std::apply of what is not the name of a function (call it with std::get of each part)"
Operation = Callable[[Sequence[SyntaxNode]], SyntaxNode]
"""A function that makes the call of an operation on values."""


class Operations(Closures):
    """The part of the cursor reader that reads algorithms with operations."""

    def applied(self, cursor: Any, given: Sequence[Any]) -> SyntaxNode | None:
        """Return the call of a function with the parts of a tuple as arguments, ``std::apply``."""
        value, of = tuples.without_casts(self.node(given[1])), given[0].type.get_canonical()
        if of.kind.name == "RECORD" and tuples.is_compound(value.type):
            return self._applied_object(cursor, given[0], value)
        function = names.function_of(given[0]) if of.kind.name != "RECORD" else None
        if function is None or not tuples.is_compound(value.type):
            return self._made(cursor, "other", text=_NOT_APPLIED)
        known = self.known(function)
        taken = [each.type for each in known.parameters]

        def called(each: Sequence[SyntaxNode]) -> SyntaxNode:
            parts = [tuples.fitted(of, one) for of, one in zip(taken, tuples.parts(each[0]), strict=True)]
            return replace(self._made(cursor, "call", parts, text=known.name), type=known.result, spelled=known.name)

        if tuples.is_spelled(value):
            return called([value])
        return self._by_parts(cursor, [value], called)

    def _applied_object(self, cursor: Any, given: Any, value: SyntaxNode) -> SyntaxNode:
        """Return the call of a lambda or a functor with the parts of a tuple as arguments."""
        self.node(given)
        operation = self.operation(given, cursor.referenced, cursor)
        if operation is None:
            return self._made(cursor, "other", text=_NOT_APPLIED)
        if not tuples.is_spelled(value) and not tuples.is_repeatable(value):
            words = "std::apply of a lambda or a functor to a result (give the tuple a name first)"
            return self._made(cursor, "other", text=words)
        return operation(tuples.parts(value))

    def with_operation(self, cursor: Any, called: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode | None:
        """Return the call of an algorithm that calls an operation on consecutive elements; None for other calls."""
        name, every = str(called.spelling), list(cursor.get_arguments())
        row = row_of(arguments) if len(arguments) in WITH_OPERATION.get(name, ()) else None
        if row is None:
            words = f"std::{name} of a lambda that is not on numbers in a row (write its loop)"
            has = any(is_lambda(each.type.get_canonical().spelling) for each in every)
            return self._made(cursor, "other", text=words) if has or name in WITH_OPERATION else None
        held = self._held(every[-1])
        object_ = name_of(held[0], position(cursor.location)) if held else None
        if (operation := self.operation(every[-1], called, cursor, object_)) is None:
            return self._made(cursor, "other", text=f"std::{name} with an operation {_OTHER}")
        self.open.append(f"std_{name}")  # the captures of a lambda are passed to the loop
        made = _loop(AlgorithmLoop(*row, position(cursor.location)), name, arguments[2:-1], operation, held)
        self.open.pop()
        made = self.closed(replace(made, name=f"{made.name}_{_words(every[-1], made)}"))
        made = self.functions.setdefault(made.name, made)
        own = [address_of(arguments[-1])] if held else []
        values = [arguments[0], row[1], *arguments[2:-1], *own, *self.further(made, cursor)]
        return replace(self._made(cursor, "call", values, text=made.name), type=made.result)

    def _held(self, given: Any) -> list[Variable]:
        """Return the parameter of an algorithm that points to a functor of the source; empty for other operations."""
        of = given.type.get_canonical().get_declaration()
        if of.kind.name not in _CLASSES or is_lambda(of.type.spelling) or foreign(of.location):
            return []
        node = address_of(self.node(given))
        return [Variable("operation", node.type, "parameter", node.position)]

    def operation(
        self, given: Any, called: Any, cursor: Any, object_: SyntaxNode | None = None
    ) -> Operation | None:  # fmt: skip
        """Return the function that makes the call of an operation argument, None for an unsupported operation."""
        of = given.type.get_canonical()
        library, owner = _OF_LIBRARY.fullmatch(of.spelling), of.get_declaration()
        if library is not None and library[1] in _OPERATORS:
            return lambda each: self._computed(_OPERATORS[library[1]], of, each, cursor)
        if owner.kind.name not in _CLASSES:
            function = names.function_of(given)
            return None if function is None or foreign(function.location) else self._calling_of(function, [], cursor)
        method = _method_of(owner, called)
        if method is None or number_of(owner.canonical) in self.mutable:
            return None
        if is_lambda(owner.type.spelling):
            return lambda each: self.of_lambda(cursor, method, _named(given), each)
        if not method.is_const_method() or method.is_virtual_method():
            return None  # the call would change the algorithm's own copy
        return self._calling_of(method, [address_of(self.node(given)) if object_ is None else object_], cursor)

    def _calling_of(self, called: Any, before: Sequence[SyntaxNode], cursor: Any) -> Operation:
        known = self.known(called)

        def calling(each: Sequence[SyntaxNode]) -> SyntaxNode:
            given = [*before, *each, *self.further(known, cursor)]
            return replace(self._made(cursor, "call", given, text=known.name, spelled=known.name), type=known.result)

        return calling

    def of_functional(self, cursor: Any, called: Any, values: Sequence[SyntaxNode]) -> SyntaxNode | None:
        """Return the operator that an object of <functional> computes, ``std::less<T>()(a, b)``; None for others."""
        of = called.semantic_parent.type.get_canonical()
        library = _OF_LIBRARY.fullmatch(of.spelling)
        if called.spelling != "operator()" or library is None or library[1] not in _OPERATORS:
            return None
        return self._computed(_OPERATORS[library[1]], of, values, cursor)

    def _computed(self, text: str, owner: Any, values: Sequence[SyntaxNode], cursor: Any) -> SyntaxNode:
        """Return an operator of <functional>; an operator that first converts its operands is refused."""
        types, compares = {each.type.text for each in values}, text in _COMPARISONS
        if (of := owner.get_template_argument_type(0)).kind.name not in ("VOID", "INVALID"):
            types.add(self.type(of, ()).text)
        if len(types) > 1 or len(values) != 2 or (values[0].type.bits < INT.bits and not compares):
            return self._made(cursor, "other", text=f"an operation of <functional> on other types {_OTHER}")
        return binary(text, values[0], values[1], BOOL if compares else replace(values[0].type, const=False))


def _loop(
    made: AlgorithmLoop, name: str, rest: Sequence[SyntaxNode], operation: Operation, held: Sequence[Variable]
) -> Function:  # fmt: skip
    """Return the function of an algorithm: a range, its length, further ranges or a first value, the operation."""
    first, count = made.row("first", made.element), made.count
    here = made.element_of(first)
    if name == "accumulate":
        of = replace(rest[0].type, const=False)
        start = made.variable("start", of)
        total, declared = made.declared("total", of, made.named(start))
        result = made.named(total)
        step = assign(result, operation([result, here]))
        return made.made(name, [first, count, start, *held], [declared, made.loop([step], 0)], result)
    names_of = ("second", "result") if len(rest) == 2 else ("result",)
    rows = [made.row(each, of.type.element or made.element) for each, of in zip(names_of, rest, strict=False)]
    elements = [made.element_of(each) for each in rows]
    value = operation([here, *elements[:-1]])
    step = assign(elements[-1], value) if rows else value
    return made.made(name, [first, count, *rows, *held], [made.loop([step], 0)], None)


def _method_of(owner: Any, called: Any) -> Any:
    """Return the ``operator()`` of a class that an algorithm calls, None if it is not known which one."""
    body = called.get_definition() or called
    calls = [each.referenced for each in body.walk_preorder() if each.kind.name == "CALL_EXPR"]
    own = [each for each in owner.get_children() if each.kind.name == "CXX_METHOD" and each.spelling == "operator()"]
    found = [
        each for each in calls
        if each is not None and each.spelling == "operator()" and each.semantic_parent.canonical == owner.canonical
    ]  # fmt: skip
    return found[0] if found else own[0] if len(own) == 1 else None


def _named(given: Any) -> Any:
    """Return the name inside an argument, without the expressions that clang puts around it."""
    inner = [given] if given.kind.name == "DECL_REF_EXPR" else [*given.walk_preorder()]
    return next((each for each in inner if each.kind.name in ("DECL_REF_EXPR", "LAMBDA_EXPR")), given)


def _words(given: Any, made: Function) -> str:
    """Return a word that distinguishes the operation from others at the same position in template instances."""
    nodes = made.body.walk() if made.body is not None else ()
    inside = next((each.text for each in nodes if each.kind == "call"), "")
    return inside or re.sub(r"\W+", "_", str(given.type.get_canonical().spelling)).strip("_")
