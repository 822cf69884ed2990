"""Reads the calls of C and C++: functions, operators and conversions of vendor numbers, copies of structs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ppnsim.c.clang import names
from ppnsim.c.clang.algorithms import end_of, filled
from ppnsim.c.clang.classes import defined, is_lambda, is_text
from ppnsim.c.clang.concatenations import spread
from ppnsim.c.clang.element_ranges import is_on_row
from ppnsim.c.clang.library import evaluated, foreign, in_system, number_of, position
from ppnsim.c.clang.list_assignments import with_values_first
from ppnsim.c.clang.locks import through_lock
from ppnsim.c.clang.methods import address_of, is_read_once, name_of, returned_place, substituted
from ppnsim.c.clang.number_assignments import beside_real, converted
from ppnsim.c.clang.places import PlacesOfSource
from ppnsim.c.clang.returned_this import behind, is_still, named, parted
from ppnsim.c.clang.signatures import default_of
from ppnsim.c.clang.special_members import element_of, is_slow, works
from ppnsim.c.clang.standard_calls import OfStandard
from ppnsim.c.clang.temporaries import is_temporary
from ppnsim.c.clang.tuples import handed
from ppnsim.c.clang.virtual import is_exact, is_overridden
from ppnsim.c.kinds import OUR_HEADERS, TASK, Kind
from ppnsim.c.plain.nodes import elements_of
from ppnsim.c.syntax import VOID, CType, Function, SyntaxNode
from ppnsim.loops.position import Position
from ppnsim.loops.work import READ_NODE, spend

# The expansions of the macros INFINITY, HUGE_VAL and NAN.
_ENDLESS = frozenset("__builtin_inff __builtin_inf __builtin_huge_valf __builtin_huge_val __builtin_nanf".split())  # noqa: SIM905
_NAN = ("nan", "nanf", "nanl")
# These are undefined for 0.
_NOT_OF_0 = {f"ppnsim_{name}": f"__builtin_{name}" for name in ("clz", "clzll", "ctz", "ctzll")}
# The kind of node for a copy of a C++ struct, by the number of arguments of the call.
_COPIES: tuple[Kind, ...] = ("empty", "cast", "assign", "other")


class Calls(OfStandard):
    """The part of the cursor reader that reads calls; the reader has the functions read so far."""

    places: PlacesOfSource
    operators: dict[tuple[int, int], tuple[Kind, str] | None]
    """Kind and text of the operators that have been called, by clang's number of the function and its arguments."""
    idle: set[str]
    """Constructors that do nothing."""

    def call(self, cursor: Any, _: Sequence[Any]) -> SyntaxNode:
        """Return the node of a call: of a function, an operator, a method, a constructor."""
        known = names.method(cursor, self.node) or through_lock(cursor, self.node) or end_of(cursor, self.node)
        if known is not None or (known := self.of_tuple(cursor)) is not None:
            return known
        called = cursor.referenced
        if is_text(cursor, called):
            return self._made(cursor, "other", text="the text of a number (print it; hardware has no strings)")
        if (known := self.through_pointer(cursor, called)) is not None:
            return known
        arguments = [self._argument(given, called, at) for at, given in enumerate(cursor.get_arguments())]
        for meaning in (self._of_text, self._of_library, self._of_object, self._of_class):
            if (found := meaning(cursor, called, arguments)) is not None:
                return found
        if not called or called.kind.name != "FUNCTION_DECL":
            return self._made(cursor, "call", arguments, text=cursor.spelling or "a pointer to a function")
        if is_on_row(called):
            return self.on_row(cursor, called, arguments)
        given = self.given_functions(called, partial(self._written, cursor, called))
        function = self.known_with(called, given)
        arguments = [each for at, each in enumerate(arguments) if at not in given] + self.further(function, cursor)
        by = dict(zip(function.parameters, arguments, strict=False))
        if (place := returned_place(function)) is not None and is_read_once(place, by):
            return substituted(place, by)
        spelled = names.namespace(called) + str(called.spelling)
        made = self._made(cursor, "call", arguments, text=function.name, spelled=spelled)
        return replace(made, value=self._result_of(cursor, made.type))

    def _of_library(self, cursor: Any, called: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode | None:
        """Return the node of a call whose meaning is known without its body, None for others."""
        if cursor.spelling in _ENDLESS:
            return self._made(cursor, "real", text=repr(evaluated(cursor, "AsDouble")))
        if cursor.spelling in _NAN and called and in_system(called.location):
            return self._made(cursor, "real", text="nan")
        if found := self._operator(called, len(arguments)):
            kind, text = found
            operands = {"unary": arguments[:1], "binary": beside_real(arguments)}.get(kind, arguments)
            return self._made(cursor, kind, operands, text=text)
        if not called:
            return None
        if arguments and called.semantic_parent and called.semantic_parent.type.spelling == TASK:
            return self._task(cursor, arguments)
        if (constant := self._constant_of(cursor, called)) is not None:
            return constant
        if (array := filled(cursor, self.node)) is not None:
            return self.algorithm(cursor, "fill_n", (*array, *arguments))
        if names.namespace(called) == "std::" and (found_std := self.of_std(cursor, called, arguments)) is not None:
            return found_std
        if called.spelling in _NOT_OF_0 and arguments[0].bare.value == 0:
            words = f"{_NOT_OF_0[called.spelling]} of 0, which has no value (write the number that is meant)"
            return self._made(cursor, "other", text=words)
        fence = names.namespace(called) == "hls::" and called.spelling == "fence"
        if fence or "basic_ostream" in called.result_type.get_canonical().spelling:
            return self._made(cursor, "empty")  # a schedule keeps this order anyway; printing makes no hardware
        return None

    def _operator(self, called: Any, arguments: int) -> tuple[Kind, str] | None:
        """Return kind and text of an operator of vendor numbers, by the called function, which many calls share."""
        if not called or called.kind.name != "FUNCTION_DECL":
            return None
        if (key := (number_of(called), arguments)) not in self.operators:
            self.operators[key] = names.operator(called, arguments)
        return self.operators[key]

    def _task(self, cursor: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode:
        """Return the call of the function that an ``hls::task`` runs."""
        first = int(cursor.spelling == "operator()")  # the first argument of an operator is the object
        run = names.function_of(list(cursor.get_arguments())[first])
        text = self.known(run).name if run is not None else arguments[first].text
        rest = tuple(arguments[first + 1 :])
        return replace(arguments[first], kind="call", children=rest, type=VOID, text=text, spelled=TASK)

    def _of_class(self, cursor: Any, called: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode | None:
        """Return the node of a call that copies or converts an object, or calls one of its methods."""
        if cursor.spelling == "operator=" and len(arguments) == 2 and arguments[0].bare.kind == "join":
            return spread(arguments[0].bare, arguments[1])
        if cursor.spelling == "operator=" and called and not foreign(called.location):
            if works(called):
                return self._method(cursor, called)
            if arguments and is_slow(element_of(called.semantic_parent.type), "assignment"):
                words = "an assignment of objects whose members are assigned by code of their own (operator=)"
                return self._made(cursor, "other", arguments, text=words)
        if self._is_idle(called, arguments):
            return self._made(cursor, "empty")
        if cursor.spelling == "operator=" or (called and called.kind.name == "CONSTRUCTOR"):
            # C++ copies structs by implicit calls.
            arguments = converted(cursor, arguments)
            copy = _COPIES[min(len(arguments), 3)]
            return with_values_first(self._made(cursor, copy, arguments, text="="))
        if names.is_conversion(cursor):
            value = next(cursor.get_children())
            while value.kind.name in ("UNEXPOSED_EXPR", "PAREN_EXPR") or names.is_conversion(value):
                value = next(value.get_children())
            return self._made(cursor, "cast", [self.node(value)])
        if called and called.kind.name in ("CXX_METHOD", "CONVERSION_FUNCTION"):
            return self._method(cursor, called)
        return None

    def _written(self, cursor: Any, called: Any, at: int) -> Any:
        """Return an argument of a call as it is written, or its default; None behind the last argument."""
        given = list(cursor.get_arguments())
        return (default_of(given[at], called, at, self.places) or given[at]) if at < len(given) else None

    def _argument(self, given: Any, called: Any, at: int) -> SyntaxNode:
        """Return an argument; an argument that the call leaves out is the default in the function's declaration."""
        is_own = called and called.kind.name in ("FUNCTION_DECL", *names.OF_OBJECTS)
        if (default := default_of(given, called, at, self.places)) is not None:
            return self.node(default)
        return handed(elements_of(self.node(given))) if is_own and not foreign(called.location) else self.node(given)

    def _is_idle(self, called: Any, arguments: Sequence[SyntaxNode]) -> bool:
        """Return whether a called function is a user's constructor that does nothing, and copies no other object."""
        if (
            not called
            or called.kind.name != "CONSTRUCTOR"
            or called.is_copy_constructor()
            or called.is_move_constructor()
        ):
            return False
        works = any(each.kind in ("token", "call") for one in arguments for each in one.walk())
        own = OUR_HEADERS not in str(called.location.file)  # a lock keeps its block
        return own and not works and self.key(called) in self.idle

    def working(self, constructor: Any) -> Function | None:
        """Return a constructor as a function, None if it does nothing; then it is not a function of the file."""
        if (key := self.key(constructor)) in self.idle:
            return None
        function = self.functions.get(self.name(constructor)) or self.function(defined(constructor))
        if function.body is None or not function.body.children:
            self.idle.add(key)
            self.taken.give_back(self.names.pop(key))
            return None
        return self.functions.setdefault(function.name, function)

    def _method(self, cursor: Any, called: Any) -> SyntaxNode:
        """Return the call of a method, whose first argument points to the object."""
        target, given = names.parts(cursor)
        arguments = [self._argument(each, called, at) for at, each in enumerate(given)]
        if foreign(called.location):
            if (computed := self.of_functional(cursor, called, arguments)) is not None:
                return computed
            owner = names.readable(called.semantic_parent.type.spelling)
            return self._made(cursor, "other", arguments, text=f"{called.spelling}, a method of {owner}")
        if is_lambda(called.semantic_parent.type.spelling):
            if called.kind.name == "CONVERSION_FUNCTION":
                words = "a pointer to a lambda (call the lambda itself, or hand it to a template)"
                return self._made(cursor, "other", text=words)
            return self.of_lambda(cursor, called, target, arguments)
        if called.is_virtual_method() and not is_exact(target) and is_overridden(called):
            words = (
                f"{called.spelling}, a virtual method of several classes, by a pointer or a reference (name the object)"
            )
            return self._made(cursor, "other", arguments, text=words)
        function = self.known(called)
        arguments += self.further(function, cursor)
        if called.is_static_method():
            return self._made(cursor, "call", arguments, text=function.name, spelled=function.name)
        if target is not None:
            object_ = self.node(target)
        elif self.this:
            object_ = name_of(self.this[-1], position(cursor.location))
        else:
            return self._made(cursor, "other", arguments, text=f"{called.spelling} of an object without a name")
        before, object_ = parted(object_)
        is_itself = function.result == VOID and "REFERENCE" in called.result_type.kind.name
        if is_itself and is_temporary(object_, self.functions):
            before, object_ = named(object_)
        by = dict(zip(function.parameters, (object_, *arguments), strict=False))
        if (place := returned_place(function)) is not None and is_read_once(place, by):
            return behind(before, substituted(place, by))
        handed = (address_of(object_), *arguments)
        made = self._made(cursor, "call", handed, text=function.name, spelled=str(called.spelling))
        if is_itself and is_still(object_):
            made = behind(made, object_)  # its value is the object: `return *this`
        return behind(before, made)

    def _constant_of(self, cursor: Any, called: Any) -> SyntaxNode | None:
        """Return the value of a constant function of the standard library, ``numeric_limits<int>::max()``."""
        of = cursor.type.get_canonical().kind.name
        if not foreign(called.location) or of not in (*names.INTEGERS, *names.REALS):
            return None
        if of in names.INTEGERS:
            value = evaluated(cursor, "AsLongLong")
            return None if value is None else self._made(cursor, "integer", value=value)
        value = evaluated(cursor, "AsDouble") if called.semantic_parent.spelling == "numeric_limits" else None
        return None if value is None else self._made(cursor, "real", text=repr(value))

    def _result_of(self, cursor: Any, of: CType) -> int | None:
        """Return the integer that a ``constexpr`` function returns, even if it has loops; None if it is data."""
        value: int | None = evaluated(cursor, "AsLongLong") if of.kind == "integer" and of.bits <= 64 else None
        return value % of.wraps if value is not None and of.wraps else value

    def _made(self, cursor: Any, kind: Kind, children: Iterable[SyntaxNode] = (), **more: Any) -> SyntaxNode:
        file, line, column, first = self.places.of(location := cursor.location)
        extent = cursor.extent
        if extent.begin_int_data != location.int_data:  # both are equal for most expressions
            first = self.places.of(extent.start)[-1]
        _, end, _, last = self.places.of(extent.end)
        spend(READ_NODE, place := Position(file, line, column))
        return SyntaxNode(
            kind, place, self.type(cursor.type, ()), tuple(children), end=end,
            extent=(first, last), **more,
        )  # fmt: skip
