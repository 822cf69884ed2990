"""Inlines calls from kernel to kernel: the body replaces the call, array parameters become the caller's arrays."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.clang.methods import name_of
from ppnsim.c.clang.names import is_vendors
from ppnsim.c.executed.named_variables import site
from ppnsim.c.lowering.places.elements import note_copies, place, pointer
from ppnsim.c.lowering.places.held_pointers import copies_held
from ppnsim.c.lowering.scope import ArrayPlace, Context, Scope
from ppnsim.c.lowering.statements.assignments import copied
from ppnsim.c.lowering.statements.bound_places import bound
from ppnsim.c.lowering.statements.declarations import assigned
from ppnsim.c.lowering.statements.struct_numbers import has_arrays
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, read, stored
from ppnsim.c.lowering.values.piecewise import Value
from ppnsim.c.lowering.variables.uses import changes, controls, handed_out, written
from ppnsim.c.plain.nodes import NUMBERS, assign, is_nameless
from ppnsim.c.plain.number_aliases import pointed_in
from ppnsim.c.plain.recast import is_nothing, tests_of
from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Execution, Node


def entered(function: Function, context: Context, outer: Scope | None = None) -> Scope:
    """Return the scope of a kernel that another kernel calls, or that code outside of the kernels calls."""
    path, calls = (outer.path, outer.calls) if outer else ((), ())
    step = context.path_names.unique("/".join((*path, function.name))).rsplit("/", 1)[-1]
    if function not in context.steering:
        controlling = frozenset(controls(function, context.unit.functions))
        handed = handed_out(function, context.unit.functions)
        pointed = pointed_in(function.body) if function.body is not None else set()
        context.steering[function] = controlling, frozenset(written(function)) | handed, frozenset(handed | pointed)
    steering, changed, others = context.steering[function]
    return Scope(
        context=context, function=function, path=(*path, step), calls=(*calls, function.name),
        steering=steering, changed=changed, others=others,
        depth=outer.depth if outer else 0,
    )  # fmt: skip


def timing_of(function: Function, scope: Scope, outer: StatementTiming) -> StatementTiming:
    """Return the pragma before a function, which applies to all its statements."""
    own = scope.context.pragma_before(function)
    if own.tripcount is not None:
        refuse(function.position, f"tripcount before function '{function.name}'; it stands before a loop or an if")
    return outer.under(own)


def opened(
    node: SyntaxNode, function: Function, scope: Scope, timing: StatementTiming
) -> tuple[Scope, tuple[Node, ...]]:
    """Return the scope of a call, and the statements that copy its arguments by value."""
    if function.name in scope.calls:
        circle = " -> ".join((*scope.calls[scope.calls.index(function.name) :], function.name))
        refuse(
            node.position, f"recursion: {circle}; a process network has a fixed number of processes; write it as a loop"
        )
    inner = entered(function, scope.context, scope)
    inner.sites = (*scope.sites, site(node))
    copies: list[Node] = []
    for parameter, argument in zip(function.parameters, node.children, strict=False):
        pointed = argument.children[0] if argument.kind == "unary" and argument.text == "&" else argument
        if (
            pointed.bare.kind == "empty"
            or _is_type_alone(pointed.bare, parameter)
            or _is_idle(pointed, parameter, inner)
        ):
            continue  # a stateless object, or a text that is not read
        argument = pointed if is_nameless(pointed) else argument  # S{x}.f(), s.read().f(), (~x).lrotate(1)
        if _is_null(argument, parameter, inner, scope):
            continue
        if (kept := _constant_reference(argument, parameter, function, scope)) is not None:
            inner.bindings[parameter] = kept
        elif parameter.type.kind in ("array", "pointer") and not _is_computed(argument, parameter):
            copies += bound(parameter, _array_argument(argument, parameter, scope), inner, timing, argument, scope)
        elif (known := _number(argument, parameter, inner, scope)) is not None:
            inner.bindings[parameter] = known
        elif _is_unchanged(argument, parameter, inner):
            copies += bound(parameter, place(argument, scope), inner, timing, argument, scope)
        elif has_arrays(of := _held(parameter, argument)) and scope.context.policy.vendor_types:
            object_, local = replace(parameter, type=of), scope.context.new_array(parameter.name, (), of, "local")
            scope.bindings[object_] = local
            inner.bindings[parameter] = replace(local, pointer=parameter.type.kind == "pointer")
            copies += assigned(assign(name_of(object_, argument), argument), scope, timing)
        else:
            note_copies(SyntaxNode("assign", argument.position, argument.type, (argument,), "="), scope)
            local = scope.context.new_array(parameter.name, (), parameter.type, "local")
            inner.bindings[parameter] = replace(local, pointer=parameter.type.kind == "pointer")
            copies_held(assign(name_of(parameter, argument), argument), scope, local)
            copies.append(Execution(copied(local, argument, scope, timing)))
    return inner, tuple(copies)


def _is_idle(argument: SyntaxNode, parameter: Variable, inner: Scope) -> bool:
    """Return whether an argument is a text that is no table: the function does not read it, or there is no hardware."""
    body = inner.function.body
    used = body is not None and any(each.variable is parameter for each in body.walk("name"))
    return argument.bare.kind == "string" and not (used and inner.context.policy.own_memories)


def _held(parameter: Variable, argument: SyntaxNode) -> CType:
    """Return the type of the object that an argument is: by value, or a temporary that a reference refers to."""
    refers = "&" in parameter.type.text or (parameter.type.kind == "pointer" and is_nameless(argument))
    return parameter.type.element or parameter.type if refers else parameter.type


def _is_null(argument: SyntaxNode, parameter: Variable, inner: Scope, scope: Scope) -> bool:
    """Record whether a pointer argument is null, as far as it is known; return whether it is null."""
    body, named = inner.function.body, argument.bare.variable
    if parameter.type.kind != "pointer" or "&" in parameter.type.text or body is None:
        return False
    nothing = is_nothing(argument) or isinstance(scope.bindings.get(named) if named is not None else None, Affine)
    if nothing or _is_array(argument.bare):
        inner.bindings |= dict.fromkeys(tests_of(body, parameter), Affine.of(int(not nothing)))
    if nothing:
        inner.bindings[parameter] = Affine.of(0)
    return nothing


def _is_array(argument: SyntaxNode) -> bool:
    """Return whether a pointer is the address of an object: ``&x``, an array, or an offset from one."""
    if argument.kind == "binary" and argument.text in ("+", "-"):
        return any(_is_array(each.bare) for each in argument.children)
    return (argument.kind == "unary" and argument.text == "&") or argument.type.kind == "array"


def _constant_reference(argument: SyntaxNode, parameter: Variable, function: Function, scope: Scope) -> Value | None:
    """Return the integer that a reference stands for because the function does not change it, else None."""
    of = parameter.type.element
    named = argument.bare.variable
    if "&" not in parameter.type.text or of is None or of.kind != "integer" or argument.bare.kind != "name":
        return None
    stands = named in scope.iterators or isinstance(scope.bindings.get(named), Value) if named is not None else False
    if not stands or changes(function, parameter, scope.context.unit.functions):
        return None
    return read(argument, scope)


def _is_type_alone(argument: SyntaxNode, parameter: Variable) -> bool:
    """Return whether an argument is an object of a class without members, of which only the methods are used."""
    while argument.kind == "cast" and argument.type.kind == "struct":
        argument = argument.children[0].bare  # a copy of the object
    of = parameter.type
    return argument.kind == "name" and of.kind == "struct" and not of.fields and not is_vendors(of.text)


def _is_computed(argument: SyntaxNode, parameter: Variable) -> bool:
    """Return whether a C++ reference refers to a computed value, which is computed once for the call.

    A reference to a constant of another type is such a case: ``const short &`` for an ``unsigned char``.
    """
    bare, is_reference = argument.bare, "&" in parameter.type.text
    is_place = bare.kind in ("name", "index", "member", "string") or (bare.kind == "unary" and bare.text in ("*", "&"))
    is_made = not is_place or _is_converted(bare.type, parameter.type.element)
    return (is_reference and is_made) or is_nameless(argument)


def _is_converted(given: CType, taken: CType | None) -> bool:
    if taken is None or not taken.const or not {given.kind, taken.kind} <= NUMBERS:
        return False
    return (given.kind, given.bits, given.wraps) != (taken.kind, taken.bits, taken.wraps)


def _number(argument: SyntaxNode, parameter: Variable, inner: Scope, scope: Scope) -> Value | None:
    if parameter.type.kind != "integer" or parameter in inner.changed:
        return None
    try:
        return stored(argument, parameter.type, scope)
    except NotAffine:
        return None
    except NotBound:
        if parameter in inner.steering and not scope.context.policy.data_subscripts:
            raise
        return None


def _is_unchanged(argument: SyntaxNode, parameter: Variable, inner: Scope) -> bool:
    """Return whether an argument can stand for its parameter, because neither changes during the call."""
    bus = parameter.type.text.startswith("hls::burst_maxi<")  # a port: its requests do not change it
    named = argument.bare if bus else argument
    if named.kind != "name" or named.variable is None or (parameter in inner.changed and not bus):
        return False
    return named.variable.scope == "parameter" and argument.type.text == parameter.type.text


def _array_argument(argument: SyntaxNode, parameter: Variable, scope: Scope) -> ArrayPlace:
    """Return the place of an array parameter: the caller's array, from the passed element on."""
    is_reference = "&" in parameter.type.text
    target = replace(place(argument, scope), pointer=True) if is_reference else pointer(argument, scope)
    if target.random:
        return target
    shape = scope.context.arrays[target.array].shape
    inner, of = shape[len(target.subscripts) :], parameter.type.element
    wanted = 0
    while of is not None and of.kind == "array":
        wanted, of = wanted + 1, of.element
    if wanted == 0 and inner:
        # A flat view of rows: a subscript beyond a row continues in the next row (elements.carried).
        return replace(target, subscripts=target.subscripts + (Affine.of(0),) * len(inner))
    if wanted != len(inner):
        sizes = (
            f"'{argument}' has {len(inner)} dimensions below its first one, parameter '{parameter.name}' has {wanted}"
        )
        refuse(argument.position, f"{sizes}; an array must keep its dimensions when it is passed on")
    return target
