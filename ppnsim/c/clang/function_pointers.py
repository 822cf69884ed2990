"""Resolves calls through function pointers and ``std::function`` if the source tells which function is called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang import names
from ppnsim.c.clang.classes import is_lambda
from ppnsim.c.clang.library import evaluated, number_of
from ppnsim.c.clang.other_expressions import Worded
from ppnsim.c.clang.signatures import is_function, same, signature
from ppnsim.c.syntax import Function, SyntaxNode

_THROUGH = (*names.LOOKED_THROUGH, "CXX_FUNCTIONAL_CAST_EXPR")
_AROUND = (*_THROUGH, "UNARY_OPERATOR", "MEMBER_REF_EXPR")
# Functions of std that return their argument, such as a std::function or a lambda converted to a pointer.
_KEEPS = ("move", "forward", "ref", "cref")


class Pointed(Worded):
    """The part of the cursor reader that knows to which function a pointer points."""

    meant: dict[int, Any]
    """The targets of pointer parameters of functions that are being read, by clang's number of the parameter."""
    takes: dict[int, list[int]]
    """The indices of a function's arguments that are function pointers, by clang's number of the function."""
    as_given: dict[str, str]
    """The targets with which a function is being read, by clang's name; each combination is a different function."""

    def key(self, cursor: Any) -> str:
        """Return a key that identifies a function, also with the functions passed as its arguments."""
        return super().key(cursor) + (self.as_given.get(str(cursor.get_usr()), "") if self.as_given else "")

    def given_functions(self, called: Any, written: Callable[[int], Any]) -> dict[int, Any]:
        """Return the functions and lambdas that a call passes as pointers, by the index of the argument."""
        if (taken := self.takes.get(number_of(called))) is None:
            of = called.type.get_canonical()
            types = of.argument_types() if of.kind.name == "FUNCTIONPROTO" else ()  # int f() {..} of C has no prototype
            taken = [at for at, each in enumerate(types) if signature(each) is not None]
            named = list((called.get_definition() or called).get_arguments()) if taken else []
            taken = self.takes[number_of(called)] = [at for at in taken if _stays(named[at])]
        found = {at: self.meaning(each) for at in taken if (each := written(at)) is not None}
        return {at: each for at, each in found.items() if each is not None}

    def known_with(self, called: Any, given: dict[int, Any]) -> Function:
        """Return a called function with known targets for its function pointers; it takes only the other arguments."""
        if not given:
            return self.known(called)
        definition, usr = called.get_definition() or called, str(called.get_usr())
        before, held = self.as_given.get(usr), dict(self.meant)
        parameters = list(definition.get_arguments())
        self.meant.update((number_of(parameters[at]), each) for at, each in given.items())
        self.as_given[usr] = "".join(f" {at}:{number_of(each)}" for at, each in sorted(given.items()))
        try:
            is_new = self.name(called) not in self.functions
            function = self.known(called)
            if is_new:
                kept = tuple(each for at, each in enumerate(function.parameters) if at not in given)
                function = replace(function, parameters=kept, body=self._kept_apart(definition, function.body))
                function = self.closed(function) if self.captured else function
                self.functions[function.name] = function
        finally:
            self.meant.clear()
            self.meant.update(held)
            self.as_given.pop(usr)
            self.as_given.update({} if before is None else {usr: before})
        return function

    def _kept_apart(self, cursor: Any, body: SyntaxNode | None) -> SyntaxNode | None:
        """Return the body of one variant of a function; refuse static variables, which variants would duplicate."""
        kept = (each.variable for each in (body.walk() if body is not None else ()) if each.variable is not None)
        static = next((each for each in kept if each.scope == "static" and not each.type.const), None)
        if body is None or static is None:
            return body
        words = f"'{static.name}', a static variable of a function that takes a pointer to one (hand it over, too)"
        return replace(body, children=(self._made(cursor, "other", text=words), *body.children))

    def through_pointer(self, cursor: Any, called: Any) -> SyntaxNode | None:
        """Return the call of the target of a function pointer or ``std::function``; None if the target is not known."""
        is_object = called is not None and called.kind.name == "CXX_METHOD" and is_function(called.semantic_parent.type)
        if called is not None and called.kind.name in ("FUNCTION_DECL", *names.OF_OBJECTS) and not is_object:
            return None
        inner = list(cursor.get_children())
        target = names.parts(cursor)[0] if is_object else next(iter(inner), None)
        taken = None if target is None else signature(target.type)
        function = None if taken is None else self.meaning(target)
        if function is None:
            return None
        arguments = names.parts(cursor)[1] if is_object else list(cursor.get_arguments())
        return self._call_meant(cursor, target, function, [self.node(each) for each in arguments])

    def _call_meant(self, cursor: Any, target: Any, function: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode:
        method = next((c for c in function.type.get_declaration().get_children() if c.spelling == "operator()"), None)
        converts = is_function(target.type) and not same(signature(target.type), (method or function).type)
        if converts:  # a pointer has the types of its target
            words = "a std::function of other types than those of its function (give both the same ones)"
            return self._made(cursor, "other", text=words)
        if method is not None:
            return self.of_lambda(cursor, method, target, arguments)
        known = self.known(function)
        given = (*arguments, *self.further(known, cursor))
        return self._made(cursor, "call", given, text=known.name, spelled=names.namespace(function) + function.spelling)

    def meaning(self, cursor: Any) -> Any:
        """Return the function or lambda that an expression names, directly or by a pointer; None if it is data."""
        cursor = _bare(cursor)
        if cursor is None or cursor.kind.name == "LAMBDA_EXPR":
            return cursor
        if cursor.kind.name == "ARRAY_SUBSCRIPT_EXPR":
            return self._of_table(*cursor.get_children())
        if cursor.kind.name != "DECL_REF_EXPR" or (named := cursor.referenced) is None:
            return None
        if named.kind.name == "FUNCTION_DECL":
            return named
        if named.kind.name == "PARM_DECL":
            return self.meant.get(number_of(named))
        return self.meaning(_initial(named)) if named.kind.name == "VAR_DECL" and _stays(named) else None

    def _of_table(self, array: Any, at: Any) -> Any:
        """Return the function in a constant array of pointers at a constant index."""
        array, place = _bare(array), evaluated(at, "AsLongLong")
        named = array.referenced if array is not None and array.kind.name == "DECL_REF_EXPR" else None
        if named is None or named.kind.name != "VAR_DECL" or place is None:
            return None
        if not named.type.element_type.is_const_qualified() and not named.type.is_const_qualified():
            return None
        initial = _initial(named)
        listed = list(initial.get_children()) if initial is not None else []
        return self.meaning(listed[place]) if 0 <= place < len(listed) else None

    def pointing(self, variable: Any) -> list[SyntaxNode] | None:
        """Return the declaration of a function pointer: empty if its target is known; None for other variables."""
        if signature(variable.type) is None:
            return None
        if _stays(variable) and self.meaning(_initial(variable)) is not None:
            return []
        words = (
            f"'{variable.spelling}', which points to a function that is not known before it runs (a switch calls each)"
        )
        return [self._made(variable, "other", text=words)]


def _bare(cursor: Any) -> Any:
    """Return the expression inside casts, ``&f``, ``*f``, parameters of templates, and a new ``std::function``."""
    while cursor is not None:
        inner = list(cursor.get_children())
        given = cursor.kind.name == "DECL_REF_EXPR" and cursor.referenced is None  # an argument of a template
        if not inner or not (_keeps(cursor) or (len(inner) == 1 and (given or cursor.kind.name in _AROUND))):
            break
        cursor = inner[-1]
    return cursor


def _keeps(cursor: Any) -> bool:
    """Return whether an expression is a call that returns its argument."""
    called = cursor.referenced if cursor.kind.name == "CALL_EXPR" else None
    if called is not None and called.spelling.startswith("operator "):
        return is_lambda(called.semantic_parent.type.spelling)
    if called is None or called.kind.name == "CONSTRUCTOR":
        return called is not None and is_function(called.semantic_parent.type)
    return called.spelling in _KEEPS and names.namespace(called) == "std::"


def _initial(variable: Any) -> Any:
    return next((each for each in reversed(list(variable.get_children())) if each.kind.is_expression()), None)


def _stays(variable: Any) -> bool:
    """Return whether a variable keeps its first value: it is constant, or only read in its function."""
    of = variable.type.get_canonical()
    if of.is_const_qualified() or ("REFERENCE" in of.kind.name and of.get_pointee().is_const_qualified()):
        return True
    around = variable.semantic_parent
    if around.kind.name not in ("FUNCTION_DECL", *names.OF_OBJECTS):
        return False
    uses = (parent for parent, each in _with_parents(around) if _names(each, variable))
    return all(each.kind.name in _THROUGH or _calls(each, variable) for each in uses)


def _calls(parent: Any, variable: Any) -> bool:
    """Return whether an expression calls a variable, or copies the ``std::function`` in it."""
    if parent.kind.name != "CALL_EXPR":
        return False
    called = names.parts(parent)[0] if parent.spelling == "operator()" else next(iter(parent.get_children()), None)
    copies = parent.spelling == "function" and is_function(parent.type)
    return (copies or parent.spelling in ("operator()", variable.spelling)) and _names(_bare(called), variable)


def _names(cursor: Any, variable: Any) -> bool:
    return cursor is not None and cursor.kind.name == "DECL_REF_EXPR" and bool(cursor.referenced == variable)


def _with_parents(cursor: Any, above: Any = None) -> Iterator[tuple[Any, Any]]:
    """Yield the nodes inside an expression or a statement, each with its parent; parentheses are skipped."""
    outer = above if above is not None and cursor.kind.name == "PAREN_EXPR" else cursor
    for each in cursor.get_children():
        yield outer, each
        yield from _with_parents(each, outer)
