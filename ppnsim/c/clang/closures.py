"""Reads lambdas, and the functions to which lambdas are passed: the captured variables are passed along with them.

A function that calls a lambda of another function uses the variables that the lambda captures. They become further
parameters of the function, of the lambda itself, and of each function between it and the place where the lambda is
written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ppnsim.c.clang.classes import defined, is_lambda
from ppnsim.c.clang.lambdas import (
    copied_variables,
    given_captures,
    is_copied,
    is_mutable,
    moved,
    this_is_copied,
    value_type,
    with_captures,
)
from ppnsim.c.clang.library import foreign, number_of, position
from ppnsim.c.clang.methods import name_of
from ppnsim.c.clang.names import OF_OBJECTS
from ppnsim.c.clang.special_members import element_of, is_slow
from ppnsim.c.clang.tuple_calls import Tuples
from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable
from ppnsim.loops.as_c.names import Names

_OF_THIS = "a copy of an object for a lambda, [*this] (capture this)"
_LAMBDA = "@Sa"
"""The part that clang's names of lambdas contain; it is the same for all lambdas of a function."""


@dataclass(frozen=True, slots=True)
class _Held:
    """The copy that an unnamed lambda holds: its value, and the function in which the lambda is written."""

    value: SyntaxNode
    function: str


class Closures(Tuples):
    """The part of the cursor reader that reads lambdas; the reader has the functions read so far."""

    this: list[Variable]
    names: dict[str, str]
    taken: Names
    captured: dict[str, tuple[Variable, ...]]
    """The variables of other functions that a function takes as its last arguments, by its name."""
    copies: dict[tuple[int, Variable], Variable]
    """The copies of variables that lambdas hold, by clang's number of the lambda's class."""
    held: dict[Variable, _Held]
    objects: dict[int, Variable]
    """The ``this`` of the methods in which lambdas are written."""
    mutable: set[int]

    def function(self, cursor: Any) -> Function:
        """Return a function."""
        raise AssertionError(cursor)

    def variable(self, cursor: Any) -> Variable:
        """Return the variable of a declaration."""
        raise AssertionError(cursor)

    def name(self, cursor: Any) -> str:
        """Return the name of a function; overloads and further template instances get a number."""
        if foreign(cursor.location) or cursor.spelling.startswith("__builtin_"):
            return str(cursor.spelling)
        spelt = cursor.spelling.replace("operator()", "operator_call")
        plain = spelt if spelt.isidentifier() else re.sub(r"\W+", "_", spelt).strip("_")
        if (key := self.key(cursor)) not in self.names:
            self.names[key] = self.taken.unique(plain)
        return self.names[key]

    def key(self, cursor: Any) -> str:
        """Return a key that identifies a function."""
        usr = str(cursor.get_usr())
        return f"{usr} {number_of(cursor.canonical)}" if _LAMBDA in usr else usr

    def known(self, called: Any) -> Function:
        """Return a called function; its first call reads it."""
        name = self.name(called)
        if name not in self.functions:
            function = self.function(defined(called))
            if is_lambda(called.semantic_parent.type.spelling):
                function, self.captured[name] = with_captures(replace(function, parameters=function.parameters[1:]))
            elif _LAMBDA in called.get_usr() and self.captured:
                function = self.closed(function)
            self.functions[name] = function
        return self.functions[name]

    def closed(self, function: Function) -> Function:
        """Return a function that gets lambdas as arguments, with their captured variables as further parameters."""
        seen = {*self.copies.values(), *(one for each in self.captured.values() for one in each)}
        found, self.captured[function.name] = with_captures(function, seen, frozenset(self.held))
        return found

    def this_in(self, cursor: Any, parameters: Sequence[Variable]) -> list[Variable]:
        """Return the ``this`` of a function: its first parameter; for a lambda, that of the method around it."""
        if cursor.kind.name not in OF_OBJECTS or cursor.is_static_method():
            return []
        if not is_lambda(cursor.semantic_parent.type.spelling):
            return list(parameters[:1])
        around = self.objects.get(number_of(cursor.semantic_parent.canonical))
        return [] if around is None else [around]

    def further(self, function: Function, cursor: Any, owner: int = 0) -> list[SyntaxNode]:
        """Return the arguments of a call for the variables of other functions that the function uses."""
        found = []
        for each in self.captured.get(function.name, ()):
            variable = self.copies.get((owner, each), each)
            held = self.held.get(variable)
            own = held is not None and held.function in self.open[-1:]
            found.append(held.value if held and own else name_of(variable, position(cursor.location)))
        return found

    def of_lambda(self, cursor: Any, called: Any, target: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode:
        """Return the call of a lambda, with the captured variables as further arguments."""
        object_ = self.node(target).bare if target is not None else None
        if object_ is not None and object_.kind == "other":
            return object_
        function, owner = self.known(called), number_of(called.semantic_parent.canonical)
        if words := self._lost(function, called, target):
            return self._made(cursor, "other", arguments, text=words)
        given = (*arguments, *self.further(function, cursor, owner))
        return self._made(cursor, "call", given, text=function.name, spelled=function.name)

    def _lost(self, function: Function, called: Any, target: Any) -> str:
        """Return why the captured variables of a lambda are not known; "" if they are."""
        if not self.captured.get(function.name):
            return ""
        around = called.semantic_parent.semantic_parent
        if self.name(around) not in self.open:
            return "a lambda that a function returns with what it captures (write it where it is called)"
        named = target.referenced if target is not None and target.kind.name == "DECL_REF_EXPR" else None
        here = named is not None and any(each.kind.name == "LAMBDA_EXPR" for each in named.walk_preorder())
        if number_of(called.semantic_parent.canonical) in self.mutable and not here:
            return "a mutable lambda that is copied or handed to a function (capture by &)"
        if (pointer := moved(function, len(self.captured[function.name]))) is not None:
            return f"a lambda that moves '{pointer.name}', a pointer that it captures (count an index up in its place)"
        return ""

    def written(self, cursor: Any) -> SyntaxNode:
        """Read a lambda where it is written; its body is read where it is called."""
        owner, at = _class_of(cursor), position(cursor.location)
        self._seen(cursor)
        if this_is_copied(cursor):
            return self._made(cursor, "other", text=_OF_THIS)
        for each in given_captures(cursor):
            variable = self.variable(each)
            if variable.initial is not None and (owner, variable) not in self.copies:
                self._hold(owner, variable, variable.initial, variable.type)
        for declared in copied_variables(cursor):
            variable = self.variable(declared)
            if (owner, variable) not in self.copies:
                if words := self._uncopied(variable, declared):
                    return self._made(cursor, "other", text=words)
                if is_copied(variable):
                    self._hold(owner, variable, name_of(variable, at), value_type(variable.type))
        return self._made(cursor, "empty")

    def _seen(self, cursor: Any) -> None:
        owner = _class_of(cursor)
        if self.this:
            self.objects[owner] = self.this[-1]
        if is_mutable(cursor):
            self.mutable.add(owner)

    def _hold(self, owner: int, variable: Variable, value: SyntaxNode, of: CType) -> None:
        copy = Variable(variable.name, of, "local", value.position)
        self.copies[owner, variable] = copy
        self.held[copy] = _Held(value, self.open[-1] if self.open else "")

    def _uncopied(self, variable: Variable, declared: Any) -> str:
        """Return why a lambda cannot hold a copy of a variable; "" if it can."""
        if is_slow(element_of(declared.type), "copy"):
            return f"a copy of '{variable.name}' for a lambda, which a constructor makes in a loop (capture it by &)"
        if variable.type.kind == "array" and not (variable.type.const or variable.scope == "parameter"):
            return f"a copy of the array '{variable.name}' for a lambda (capture it by &)"
        of = declared.type.get_canonical()
        if is_lambda(of.spelling) and number_of(of.get_declaration().canonical) in self.mutable:
            return f"a copy of '{variable.name}', a mutable lambda (capture it by &)"
        return ""

    def calls_for(self, cursor: Any) -> list[SyntaxNode]:
        """Return the call that initialises a variable with a lambda, ``auto f = std::for_each(..)``."""
        initial = self.variable(cursor).initial
        return [initial.bare] if initial is not None and initial.bare.kind == "call" else []

    def declare(self, cursor: Any, variable: Variable) -> None:
        """Record a variable that a lambda declares in its capture list, ``[n = a + 1]``."""
        self.copies[_class_of(cursor), variable] = variable

    def captures(self, cursor: Any) -> list[SyntaxNode]:
        """Return the declarations of the copies of variables that a lambda makes where it is written."""
        found: list[SyntaxNode] = []
        self._seen(cursor)
        if this_is_copied(cursor):
            found.append(self._made(cursor, "other", text=_OF_THIS))
        for declared in copied_variables(cursor):
            key = (_class_of(cursor), variable := self.variable(declared))
            if words := self._uncopied(variable, declared):
                found.append(self._made(cursor, "other", text=words))
            elif key not in self.copies and is_copied(variable):
                at = position(cursor.location)
                self.copies[key] = Variable(variable.name, value_type(variable.type), "local", at)
                found.append(self._made(cursor, "declare", [name_of(variable, at)], variable=self.copies[key]))
        return found


def _class_of(written: Any) -> int:
    """Return clang's number of the class of a lambda."""
    return number_of(written.type.get_declaration().canonical)
