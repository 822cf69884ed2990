"""Reads C expressions as places in arrays: which array, which element."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from ppnsim.c.lowering.scope import Place, Scope
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, affine, read
from ppnsim.c.lowering.values.piecewise import extent
from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import ADDRESSES, DATA


def place(node: SyntaxNode, scope: Scope) -> Place:
    """Return the place that an expression names; raise InputError if it names none."""
    if node.kind == "name" and node.variable:
        found = variable_place(node.variable, node, scope)
        is_reference = node.variable.type.kind == "pointer" and node.type.kind != "pointer"
        return replace(found, pointer=False) if is_reference else found
    if node.kind == "index":
        return _element(node, scope)
    if node.kind == "member":
        return _member(node, scope)
    if node.kind == "token":
        return _token(node, scope)
    if node.kind == "unary" and node.text == "*":
        target = _moved(place(node.children[0], scope), Affine.of(0), node, scope)
        return replace(target, pointer=False)
    if node.kind == "unary" and node.text == "&":
        return replace(place(node.children[0], scope), pointer=True)
    if node.kind == "cast":
        return place(node.children[0], scope)
    if scope.context.hardware and node.kind == "binary" and node.text == "+" and node.type.kind in ("pointer", "array"):
        base, by = sorted(node.children, key=lambda child: child.type.kind not in ("pointer", "array"))
        return replace(_moved(pointer(base, scope), affine(by, scope, "offset", node), node, scope), pointer=True)
    if node.type.kind in ("pointer", "array") and (node.kind in ("binary", "unary", "assign")):
        refuse(node.position, f"pointer arithmetic in '{node}': the array behind it is lost; write an element (a[i])")
    return refuse(node.position, f"'{node}' is no variable and no element of an array")


def _element(node: SyntaxNode, scope: Scope) -> Place:
    """Return an element; where its subscript is data and ``access(random)`` stands before it, any element."""
    subscript = node.children[1]
    try:
        found = read(subscript, scope)
    except (NotAffine, NotBound) as reason:
        if isinstance(reason, NotBound) and not scope.context.hardware:
            raise
        if not scope.context.random and not scope.context.hardware:
            refuse(
                subscript.position,
                f"subscript '{node}' is not affine: {reason}; for timing alone, "
                "'#pragma ppnsim access(random)' before the statement takes it for any element",
            )
        return _any(place(node.children[0], scope), scope)
    if scope.context.hardware and not isinstance(found, Affine):
        return _any(place(node.children[0], scope), scope)  # hardware chooses one of several addresses
    at = affine(subscript, scope, "subscript", node)
    base = place(node.children[0], scope)
    return indexed(base, at) if base.random else _moved(base, at, node, scope)


def _any(base: Place, scope: Scope) -> Place:
    """Return an element whose last subscript is data; of a pointer into rows, it may be in any row."""
    if not scope.context.hardware:
        return Place(base.array, random=True)
    known = base.subscripts[:-1] if base.pointer else base.subscripts
    if base.pointer and known:
        known = (DATA,) * len(known)
    return Place(base.array, (*known, DATA), random=True)


def _token(node: SyntaxNode, scope: Scope) -> Place:
    """Return the next token of a stream, or a new one; of an array of streams, the subscripts say of which."""
    if not scope.context.hardware:
        refuse(node.position, f"'{node}': streams are hardware: only 'ppnsim schedule' and its like read them")
    base = place(node.children[0], scope)
    return Place(base.array, base.subscripts, random=True)


def variable_place(variable: Variable, node: SyntaxNode, scope: Scope) -> Place:
    """Return the place of a variable; on its first use the array is made."""
    table = scope.context.globals if variable.scope == "global" else scope.bindings
    if variable not in table:
        table[variable] = made = _new(variable, node, scope)
        scope.context.spelling.owners[made.array] = variable
        if variable.scope in ("static", "global"):
            scope.context.arrays[made.array] = replace(scope.context.arrays[made.array], static=True)
    found = table[variable]
    if isinstance(found, Place):
        return found
    return refuse(node.position, f"'{variable.name}' stands for a value here and has no place of its own")


def pointer(node: SyntaxNode, scope: Scope) -> Place:
    """Return where a pointer or an array points to, as a pointer."""
    found = place(node, scope)
    if found.pointer or found.random or node.type.kind not in ("array", "pointer"):
        return replace(found, pointer=True)
    return Place(found.array, (*found.subscripts, Affine.of(0)), pointer=True)


def indexed(target: Place, at: Affine) -> Place:
    """Return the element ``at`` of an array, or behind a pointer."""
    if target.random:
        return Place(target.array, (*target.subscripts, at) if target.subscripts else (), random=True)
    if not target.pointer:
        return Place(target.array, (*target.subscripts, at))
    if not target.subscripts:
        return Place(target.array)
    return Place(target.array, (*target.subscripts[:-1], target.subscripts[-1] + at))


def carried(target: Place, scope: Scope) -> Place:
    """Return an element with the last subscript brought into its row: what lies beyond is in a later row."""
    shape = scope.context.arrays[target.array].shape
    subscripts = list(target.subscripts)
    for level in range(len(subscripts) - 1, 0, -1):
        low, high = extent(subscripts[level], scope.ranges)
        if low >= 0 and high < shape[level]:
            break
        over = subscripts[level] // shape[level]
        subscripts[level - 1 : level + 1] = [subscripts[level - 1] + over, subscripts[level] % shape[level]]
    return Place(target.array, tuple(subscripts), target.pointer)


def _moved(base: Place, at: Affine, node: SyntaxNode, scope: Scope) -> Place:
    if base.pointer and not base.subscripts and at != Affine.of(0):
        refuse(node.position, f"'{node}' is beyond '{base.array}', which is no array")
    target = indexed(base, at)
    if base.pointer and len(base.subscripts) > 1:
        target = carried(target, scope)
    return target


def _member(node: SyntaxNode, scope: Scope) -> Place:
    """Return a struct as a token, or an array that is a member as an array of its own."""
    base = replace(place(node.children[0], scope), pointer=False)
    if node.type.kind != "array":
        return base
    context, path = scope.context, path_of(node)
    name = f"{base.array}.{path}"
    if name not in context.members:
        outer = context.arrays[base.array]
        shape = outer.shape + shape_of(node.type, node, scope)
        made = context.new_array(name.replace(".", "_"), shape, node.type, outer.role).array
        context.members[name], context.spelling.members[made] = made, (base.array, path)
    return replace(base, array=context.members[name])


def path_of(node: SyntaxNode) -> str:
    """Return the part of an array's struct that a place is, ``cell.value`` for ``grid[i].cell.value``, "" for all."""
    parts: list[str] = []
    while node.kind in ("member", "cast") or (node.kind == "unary" and node.text == "&"):
        if node.kind == "member" and parts and node.type.kind == "array":
            break
        parts = [node.text, *parts] if node.kind == "member" else parts
        node = node.children[0]
    return ".".join(parts)


def _new(variable: Variable, node: SyntaxNode, scope: Scope) -> Place:
    of, name = variable.type, variable.name
    # A constant table with its numbers in the source is there at time 0 and comes from no caller.
    is_table = variable.scope == "global" and of.base().const and variable.initial is not None
    outside = variable.scope in ("parameter", "global") and not is_table
    given = scope.inferred.get(name)
    if isinstance(given, CType) and variable.scope == "parameter" and _unknown(of):
        of = given
    elif (
        of.kind == "pointer"
        and variable.scope == "parameter"
        and of.element
        and ("&" in of.text or _only_behind(variable, scope.function, scope))
    ):
        inner = shape_of(of.element, node, scope)
        return _as_pointer(scope.context.new_array(name, inner, of, "parameter"))
    if _unknown(of) and scope.context.hardware and of.element is not None:
        # Behind a bus there are as many elements as there are addresses.
        inner = shape_of(of.element, node, scope, name)
        made = scope.context.new_array(name, (ADDRESSES, *inner), of, "parameter")
        return Place(made.array, (Affine.of(0), *(Affine.of(0) for _ in inner)), pointer=True) if inner else made
    if _unknown(of):
        _no_shape(variable, node)
    made = scope.context.new_array(name, shape_of(of, node, scope, name), of, "parameter" if outside else "local")
    if scope.context.hardware and of.base().const and variable.initial is not None and variable.initial.kind == "list":
        scope.context.spelling.initials[made.array] = str(variable.initial)
    return made


def _as_pointer(target: Place) -> Place:
    return Place(target.array, pointer=True)


def _unknown(of: CType) -> bool:
    return of.kind == "pointer" or (of.kind == "array" and of.size is None)


def _only_behind(variable: Variable, function: Function, scope: Scope) -> bool:
    """Return whether a pointer is only ever followed (``*p``, ``p->x``), so that it points to a single element.

    Hardware has as many elements behind a bus as are asked for: there, calls that it is handed to are looked into.
    """
    for node in function.body.walk() if function.body else ():
        if not any(child.variable is variable for child in node.children):
            continue
        if node.kind in ("index", "binary"):
            return False
        called = scope.context.unit.functions.get(node.text) if node.kind == "call" else None
        if scope.context.hardware and called is not None and called is not function:
            handed = zip(node.children, called.parameters, strict=False)
            own = [parameter for argument, parameter in handed if argument.variable is variable]
            if not all(_only_behind(parameter, called, scope) for parameter in own):
                return False
    return True


def _no_shape(variable: Variable, node: SyntaxNode) -> NoReturn:
    of = variable.type
    written = f"{of.text} {variable.name}" if of.kind == "pointer" else f"{of.base().text} {variable.name}[]"
    name = variable.name
    refuse(
        node.position,
        f"array without shape: '{written}' does not say how many elements there are; declare it with its size, "
        f"{of.base().text} {name}[64], or as {of.base().text} {name}[n] after a parameter int n",
    )


def shape_of(of: CType, node: SyntaxNode, scope: Scope, name: str = "") -> tuple[int, ...]:
    """Return the number of elements in each dimension."""
    if of.kind != "array" or of.element is None:
        return ()
    size = of.size
    if isinstance(size, SyntaxNode):
        found = affine(size, scope, "array size")
        low, high = extent(found, scope.ranges)
        size = high if found.iterators() else low
    if size is None:
        refuse(node.position, f"array without shape: '{name or node}' does not say how many elements there are")
    if size < 0:
        refuse(node.position, f"array '{name or node}' has {size} elements")
    return (size, *shape_of(of.element, node, scope, name))
