"""Reads declarations that construct objects, vectors of lanes, and lambdas with their captures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from ppnsim.c.blocks import is_blocks
from ppnsim.c.clang import names
from ppnsim.c.clang.calls import Calls
from ppnsim.c.clang.classes import is_lambda
from ppnsim.c.clang.concatenations import is_vector, lanes
from ppnsim.c.clang.constructors import ELEMENTS
from ppnsim.c.clang.instances import never_taken
from ppnsim.c.clang.lambdas import given_captures
from ppnsim.c.clang.library import evaluated, header_semicolons, kind_of, number_of, position
from ppnsim.c.clang.locks import lock_of, locked, released
from ppnsim.c.clang.methods import address_of, initialised, initialisers, name_of
from ppnsim.c.clang.structured_bindings import named_in, parts
from ppnsim.c.clang.temporaries import type_held
from ppnsim.c.clang.tuples import is_spelled, tied, without_casts
from ppnsim.c.clang.vendors import in_turn
from ppnsim.c.plain.nodes import block_of, number
from ppnsim.c.syntax import VOID, SyntaxNode, Variable


class Declared(Calls):
    """The part of the cursor reader that reads declarations; the reader has the variables read so far."""

    variables: dict[int, Variable]
    open: list[str]
    parts: dict[tuple[str, int, str], SyntaxNode]
    """The expressions for the names of structured bindings."""
    ends: dict[Variable, SyntaxNode]
    """The statement that ends each lock of a block."""

    def member(self, cursor: Any) -> SyntaxNode:
        """Return the name of a member in the list of a constructor."""
        raise AssertionError(cursor)

    def of_class(self, variable: Any) -> SyntaxNode | None:
        """Return the value of a constant integer of a class, or one computed from reals; None for others.

        A template may compute such a class constant; ``const int rows = 4.0`` is 4.
        """
        is_number = variable.type.get_canonical().kind.name in names.INTEGERS
        inside = variable.semantic_parent.kind.name in ("CLASS_DECL", "STRUCT_DECL")
        if not (is_number and variable.type.is_const_qualified()):
            return None
        if not inside and not any(each.kind.name == "FLOATING_LITERAL" for each in variable.walk_preorder()):
            return None
        value = evaluated(variable, "AsLongLong")
        return None if value is None else self._made(variable, "integer", value=value)

    def before(self, constructor: Any) -> Iterator[SyntaxNode]:
        """Yield the statements that a constructor executes before its body, including implicit ones."""
        this, owner = self.this[-1], constructor.semantic_parent.type.get_canonical()
        if (listed := self.inherited(constructor, this)) is None:
            listed = initialisers(constructor, self.node, self.member, this)
        if owner.spelling in listed:  # the delegated constructor constructs the whole object
            yield from listed[owner.spelling]
        else:
            yield from self.making(owner, name_of(this, position(constructor.location)), listed)

    def block(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Return the statement for one line of declarations."""
        variables = [c for c in inner if kind_of(c) in ("VAR_DECL", "UNEXPOSED_DECL")]
        return self._made(cursor, "block", [each for c in variables for each in self.declared(c)])

    def compound(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Return a block of statements; its locks end at its end."""
        return released(self._made(cursor, "block", map(self.node, inner)), self.ends)

    def branched(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Return an ``if`` or a ``switch`` after the declarations in its head, ``if (int x = f(); x > 0)``."""
        heads = list(takewhile(lambda each: each.kind.name in ("DECL_STMT", "VAR_DECL"), inner[:2]))
        if not heads and cursor.kind.name == "SWITCH_STMT":  # clang only shows names of its declarations
            heads = list(named_in(cursor, inner[-1]))
            if not heads and header_semicolons(cursor, inner[-1].extent.start.offset):
                return self._made(cursor, "other", text="what a switch does first (write it before the switch)")
        before = [self.node(each) if each.kind.name == "DECL_STMT" else self.block(each, [each]) for each in heads]
        rest = [each for each in inner if each not in heads]
        gone = never_taken(cursor, rest, self.open)
        ways = [self._made(each, "block") if each in gone else self.node(each) for each in rest]
        made = self._made(cursor, names.KINDS[cursor.kind.name], ways)
        return block_of(made, (*before, made)) if before else made

    def declared(self, cursor: Any) -> list[SyntaxNode]:
        """Return a declaration and, for an object with a constructor, the call of the constructor."""
        if kind_of(cursor) == "UNEXPOSED_DECL":
            return self._unpacked(cursor)
        if (pointer := self.pointing(cursor)) is not None:
            return [*self._captured(cursor), *pointer]
        if "(lambda" not in (spelling := cursor.type.get_canonical().spelling):
            return self._of_variable(cursor)
        return [
            *self._captured(cursor),
            *(self.calls_for(cursor) if is_lambda(spelling) else self._of_variable(cursor)),
        ]

    def _of_variable(self, cursor: Any) -> list[SyntaxNode]:
        variable = self.variable(cursor)
        if found := self._of_blocks(cursor, variable):
            return found
        made = variable.initial.bare if variable.initial else None
        if made is not None and made.kind == "call" and made.type == VOID:
            return [made]  # a task of the vendor's
        if made is not None and made.kind == "list" and is_vector(variable.type):
            self.variables[number_of(cursor.canonical)] = bare = replace(variable, initial=None)
            return [self._made(cursor, "declare", variable=bare), *lanes(bare, made)]
        local = (variable.type.kind, variable.scope) == ("struct", "local")
        nested = made is not None and local and _is_nested(made)
        if made is None or not (nested or _is_object(variable, made)):
            return [self._made(cursor, "declare", filter(None, [variable.initial]), variable=variable)]
        declared = self._made(cursor, "declare", variable=variable)
        if nested:
            return [declared, *initialised(name_of(variable, made), made)]
        making = self._making_of(cursor, variable, made)
        if variable.scope == "static" and in_turn(variable.type.text) is None:  # constructed before the hardware starts
            making = [self.only_directing(each) for each in making if each.kind == "call"]
        return [declared, *making]

    def _tied(self, cursor: Any, made: SyntaxNode) -> list[SyntaxNode]:
        """Return no declaration for a variable of references to fixed places, because their list stands for it."""
        if is_spelled(made) and all(map(_stays, made.children)):
            return [self._made(cursor, "empty")]
        words = "a tuple of references (use the variables themselves; std::minmax({x, y}) has values)"
        words = f"'{cursor.spelling}', {words}"
        return [self._made(cursor, "other", text=words)]

    def _making_of(self, cursor: Any, variable: Variable, made: SyntaxNode) -> list[SyntaxNode]:
        """Return the statements that construct an object, or the objects of an array."""
        place = name_of(variable, made)
        if variable.type.kind == "array":
            of, words = cursor.type.get_canonical(), f"an element of {cursor.spelling}"
            return list(self.made_elements(of, place, words, cursor))
        return [replace(made, type=VOID, text=made.spelled, children=(address_of(place), *made.children))]

    def _of_blocks(self, cursor: Any, variable: Variable) -> list[SyntaxNode]:
        """Return the declaration of a stream of blocks without its name, or of a lock with its begin; else nothing.

        References in a tuple are not declared either.
        """
        if variable.initial is not None and tied(variable.type):
            return self._tied(cursor, without_casts(variable.initial))
        spelling, place = cursor.type.get_canonical().spelling, number_of(cursor.canonical)
        if is_blocks(spelling):
            self.variables[place] = replace(variable, initial=None)
            return [self._made(cursor, "declare", variable=self.variables[place])]
        if variable.initial is None or not lock_of(spelling):
            return []
        lock, begin, end = locked(cursor, variable, variable.initial)
        self.variables[place], self.ends[lock] = lock, end
        return begin

    def one(self, cursor: Any, array: SyntaxNode) -> Variable:
        """Return the variable of a loop over the elements of an array; its parts may have names."""
        if cursor.kind.name != "UNEXPOSED_DECL":
            return self.variable(cursor)
        of = self.type(cursor.type, ())
        held = Variable("parts", of, "local", position(cursor.location))
        whole = name_of(held, array)
        refers = of.kind == "pointer" and array.type.element is not None
        self.parts.update(parts(cursor, replace(whole, type=array.type.element or of) if refers else whole))
        return held

    def _unpacked(self, cursor: Any) -> list[SyntaxNode]:
        """Return the declaration of an object for a structured binding; a reference to a place needs none."""
        value = next((self._whole(each) for each in cursor.get_children() if each.kind.is_expression()), None)
        if value is None:
            return []
        bare = without_casts(value)
        if tied(self.type(cursor.type, ())) and not tied(bare.type):
            words = "parts of std::minmax(x, y), which refer to x and y (write {x, y})"
            return [self._made(cursor, "other", text=words)]
        if tied(bare.type):
            self.parts.update(parts(cursor, bare))
            return self._tied(cursor, bare)
        if "REFERENCE" in cursor.type.kind.name and value.bare.kind in ("name", "index", "member"):
            self.parts.update(parts(cursor, value))
            return []
        of = type_held(self.type(cursor.type, ()), value, self.functions)
        held = Variable("parts", of, "local", position(cursor.location))
        self.parts.update(parts(cursor, name_of(held, value)))
        return [self._made(cursor, "declare", [value], variable=held)]

    def _whole(self, given: Any) -> SyntaxNode:
        """Return the value of a structured binding; a copied array becomes the list of its elements."""
        inner = list(given.get_children())
        if given.kind.name != "UNEXPOSED_EXPR" or given.type.kind.name != "CONSTANTARRAY" or len(inner) != 2:
            return self.node(given)
        array = self.node(inner[0])
        of, size = array.type.element, array.type.size
        if of is None or of.kind == "array" or not isinstance(size, int):
            return self.node(given)
        elements = [replace(array, kind="index", type=of, children=(array, number(array, at)), text="", variable=None)
                    for at in range(size)]  # fmt: skip
        return self._made(given, "list", elements)

    def _captured(self, cursor: Any) -> Iterator[SyntaxNode]:
        """Yield the declarations of the captures of lambdas in a declaration: initialised captures and copies."""
        for child in (each for each in cursor.walk_preorder() if each.kind.name == "LAMBDA_EXPR"):
            for given in given_captures(child):
                self.declare(child, self.variable(given))
                yield from self.declared(given)
            yield from self.captures(child)


def _stays(place: SyntaxNode) -> bool:
    """Return whether an expression is a variable, or a member of one, and not a pointer."""
    while place.kind == "member":
        place = place.children[0]
    return place.kind == "name" and place.type.kind not in ("pointer", "array")


def _is_nested(made: SyntaxNode) -> bool:
    return made.kind == "list" and any(each.kind == "list" for each in made.children)


def _is_object(variable: Variable, made: SyntaxNode) -> bool:
    """Return whether the value of a variable is a new object, or a new array of objects."""
    new = (made.kind == "call" and made.text.startswith("new_")) or (made.kind == "other" and made.text == ELEMENTS)
    return new and variable.type.kind in ("struct", "array")
