"""Finds the reads and writes of a call of an opaque function, argument by argument."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod

from ppnsim.c.kinds import STEPS
from ppnsim.c.lowering.places.arrays import variable_place
from ppnsim.c.lowering.places.elements import indexed, place, pointer
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.variables.uses import is_kernel
from ppnsim.c.refusals import POINTED
from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable, refuse
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access

_WHOLE_LIMIT = 64
# Functions of the C library that only write to the targets of their pointers.
_RESULTS = frozenset(f"{name}{of}" for name in ("frexp", "modf", "remquo", "sincos") for of in ("", "f", "l"))


@dataclass(slots=True)
class Footprint:
    """The reads and writes of a call: through each pointer argument (None: passed by value), and of global variables.

    ``place`` is the target of a pointer argument, None if the function does not use the argument and it has no target.
    """

    reads: list[Access] = field(default_factory=list)
    writes: list[Access] = field(default_factory=list)
    arguments: list[Footprint | None] = field(default_factory=list)
    place: Access | None = None
    by_reference: bool = False


@dataclass(slots=True)
class _Touched:
    """The elements with constant subscripts that a function reads and writes through one name."""

    reads: list[tuple[int, ...]] = field(default_factory=list)
    writes: list[tuple[int, ...]] = field(default_factory=list)


def footprint(node: SyntaxNode, scope: Scope) -> Footprint:
    """Return the reads and writes of a call; raise InputError if they are not known."""
    function = _called(node, scope)
    result = Footprint()
    known = _touched(function, scope) if function.body else {}
    for index, argument in enumerate(node.children):
        parameter = function.parameters[index] if index < len(function.parameters) else None
        kind = parameter.type.kind if parameter else argument.type.kind
        by_value = kind not in ("pointer", "array") or (parameter is not None and _is_value(parameter.type))
        if by_value or argument.kind == "string":
            result.arguments.append(None)
        else:
            result.arguments.append(_argument(argument, parameter, function, known, scope))
    for variable, touched in known.items():
        if variable.scope == "global":
            target = variable_place(variable, node, scope)
            result.reads += _accesses(target, touched.reads)
            result.writes += _accesses(target, touched.writes)
    return result


def _called(node: SyntaxNode, scope: Scope) -> Function:
    """Return the called function; raise InputError if it is not known, or is a kernel."""
    functions = scope.context.unit.functions
    function = functions.get(node.text)
    if function is None and (" " in node.text or any(p.name == node.text for p in scope.function.parameters)):
        name = node.text if " " in node.text else f"'{node.text}' is a pointer to a function"
        refuse(node.position, f"{name}, which may be any; {POINTED}")
    if function is None or (not function.prototype and function.body is None):
        words = (
            f"function '{node.text}' is not declared, so it is not known which arguments it reads and which it writes"
        )
        refuse(node.position, f"{words}; declare it, with const before what a pointer only reads")
    if is_kernel(function, functions):
        advice = "let it write the value through a pointer and make the call a statement of its own"
        if of_library := node.spelled.startswith("std::"):
            advice = "write its loop"
        name = node.spelled if of_library else f"function '{node.text}'"
        refuse(node.position, f"{name} loops over arrays and returns a value; {advice}")
    return function


def _is_value(of: CType) -> bool:
    """Return whether a parameter is a C++ reference to a constant, which is equivalent to a value."""
    return of.text.endswith("&") and of.element is not None and of.element.const and of.element.kind != "array"


def _argument(
    node: SyntaxNode, parameter: Variable | None, function: Function, known: dict[Variable, _Touched], scope: Scope
) -> Footprint:
    by_reference = parameter is not None and "&" in parameter.type.text
    given = node.bare
    if parameter and function.body:
        touched = known.get(parameter, _Touched())
        if not touched.reads and not touched.writes:
            alone = Footprint(by_reference=by_reference)
            with suppress(InputError):  # a null pointer has no target
                alone.place = _pointed(given, scope, by_reference)
            return alone
        target = pointer(node, scope)
        found = Footprint(_accesses(target, touched.reads), _accesses(target, touched.writes))
    else:
        does = "in" if parameter and parameter.type.points_to_const else _opaque(node, parameter, function, scope)
        elements = _elements(_whole(place(given, scope)), given, function, scope)
        found = Footprint(elements if does != "out" else [], elements if does != "in" else [])
    found.place, found.by_reference = _pointed(given, scope, by_reference), by_reference
    return found


def _opaque(node: SyntaxNode, parameter: Variable | None, function: Function, scope: Scope) -> str:
    """Return how a function without a body accesses the target of a non-const pointer: ``in``, ``out`` or ``inout``."""
    context = scope.context
    if known := context.access or context.pragma_before(function).access:
        return known
    box = context.pragmas.boxes.get(function.name)
    if box is not None and parameter is not None and parameter.name in box.ports:
        return box.ports[parameter.name]
    if function.system and function.name in _RESULTS:
        return "out"
    words = (
        f"function '{function.name}' has no body: it is taken to read and to write behind its pointers without const "
        "(all of an array, and of '&v[i]' that element)"
    )
    advice = (
        "#pragma ppnsim access(in), access(out) or access(inout) before its declaration or the call says what it does"
    )
    context.assumed.setdefault(function.name, f"{node.position}: {words}; {advice}")
    return "inout"


def _whole(target: ArrayPlace) -> ArrayPlace:
    """Return the array or row for a pointer to its first element: ``&v[0]``, ``&*v`` and ``v`` are equal."""
    first = target.pointer and target.subscripts[-1:] == (Affine.of(0),)
    return replace(target, subscripts=target.subscripts[:-1], pointer=False) if first else target


def _pointed(node: SyntaxNode, scope: Scope, by_reference: bool) -> Access:
    return (place(node, scope) if by_reference else pointer(node, scope)).access()


def _elements(target: ArrayPlace, node: SyntaxNode, function: Function, scope: Scope) -> list[Access]:
    """Return all elements of an array or row that is passed to a function without a body."""
    if target.random:
        return [target.access()]
    rest = scope.context.arrays[target.array].shape[len(target.subscripts) :]
    if (count := prod(rest)) > _WHOLE_LIMIT:
        words = f"'{node}' passes {count} elements to '{function.name}', a function without a body; pass one element"
        refuse(node.position, f"{words}, or give its body: {_whereabouts(function, scope)}")
    found = product(*(range(size) for size in rest))
    numbers = [tuple(Affine.of(number) for number in subscripts) for subscripts in found]
    return [Access(target.array, target.subscripts + subscripts) for subscripts in numbers]


def _whereabouts(function: Function, scope: Scope) -> str:
    """Return the advice how to give the body of a function: which files define it, and where files are named."""
    how = "as another source of a project (syn.file= in an hls_config.cfg, add_files in a run_hls.tcl)"
    if not (files := scope.context.unit.elsewhere.get(function.name, ())):
        return f"no source beside the file or its header defines it; give one that does {how}"
    return f"{' and '.join(files)} {'define it: give one' if len(files) > 1 else 'defines it: give it'} {how}"


def _accesses(target: ArrayPlace, elements: list[tuple[int, ...]]) -> list[Access]:
    if target.random:
        return [target.access()] if elements else []
    found = []
    for subscripts in elements:
        at = target
        for number in subscripts:
            at = replace(indexed(at, Affine.of(number)), pointer=False)
        found.append(at.access())
    return found


def _touched(function: Function, scope: Scope) -> dict[Variable, _Touched]:
    """Return the elements that a leaf function accesses, by pointer parameter and global variable."""
    found: dict[Variable, _Touched] = {}
    for node, sure, is_write, is_read in _mentions(function.body, True):
        variable, subscripts = _root(node, function)
        if variable is None or (variable.scope == "global" and variable.type.base().const):
            continue
        if variable.scope not in ("parameter", "global") or (variable.scope == "parameter" and not subscripts):
            continue
        if variable.scope == "global" and variable not in scope.context.changed_globals and not subscripts:
            continue
        touched = found.setdefault(variable, _Touched())
        # A write under a condition may keep the old value, so it also counts as a read.
        first_write = is_write and sure and subscripts not in touched.reads
        if (is_read or (is_write and not first_write)) and subscripts not in touched.reads + touched.writes:
            touched.reads.append(subscripts)
        if is_write and subscripts not in touched.writes:
            touched.writes.append(subscripts)
    return found


def _mentions(node: SyntaxNode | None, sure: bool) -> Iterator[tuple[SyntaxNode, bool, bool, bool]]:
    """Yield each accessed expression in order of evaluation, with flags: always executed, written, read."""
    if node is None:
        return
    if node.kind == "assign":
        yield from _mentions(node.children[1], sure)
        yield node.children[0], sure, True, node.text != "="
    elif node.kind == "unary" and node.text in STEPS:
        yield node.children[0], sure, True, True
    elif node.kind in ("name", "index", "member") or (node.kind == "unary" and node.text == "*"):
        yield node, sure, False, True
    elif node.kind == "call":
        for child in node.children:
            handed = child.type.kind in ("pointer", "array") and child.kind != "string"
            if handed and not child.type.points_to_const:
                yield child, sure, True, True
            else:
                yield from _mentions(child, sure)
    else:
        for place_in, child in enumerate(node.children):
            always = node.kind not in ("if", "choice") or place_in == 0
            yield from _mentions(child, sure and always and node.text not in ("&&", "||"))


def _root(node: SyntaxNode, function: Function) -> tuple[Variable | None, tuple[int, ...]]:
    """Return the variable that a place belongs to, and its subscripts."""
    subscripts: list[int] = []
    while node.kind != "name":
        if node.kind == "index":
            at = node.children[1]
            if at.value is None:
                refuse(at.position, f"subscript '{node}' of function '{function.name}' is not a constant")
            subscripts.insert(0, at.value)
        elif node.kind == "unary" and node.text in ("*", "&"):
            subscripts = [0, *subscripts] if node.text == "*" else subscripts or [0]
        elif node.kind not in ("member", "cast"):
            refuse(node.position, f"pointer arithmetic in '{node}'; write an element (a[i])")
        elif node.kind == "member" and node.children[0].type.kind == "pointer":
            subscripts = [0]
        if not node.children:
            return None, ()
        node = node.children[0]
    if node.variable and node.type.kind in ("pointer", "array") and not subscripts:
        subscripts = [0]
    return node.variable, tuple(subscripts)
