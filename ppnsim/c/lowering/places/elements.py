"""Finds the array and the element that a C expression names, and refuses struct copies that would lose a flow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ppnsim.c.blocks import as_declared, in_words
from ppnsim.c.lowering.places.arrays import shape_of, text_place, variable_place
from ppnsim.c.lowering.places.first_places import check_followed, first_place, followed
from ppnsim.c.lowering.scope import ArrayPlace, Context, Scope, Sum
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, affine, read
from ppnsim.c.lowering.values.piecewise import extent
from ppnsim.c.refusals import no_place, unfollowed
from ppnsim.c.syntax import CType, SyntaxNode, Variable, refuse
from ppnsim.errors import AdvisedError, InputError
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import DATA


def place(node: SyntaxNode, scope: Scope, *, held: bool = True) -> ArrayPlace:
    """Return the place that an expression names; raise InputError if it names none.

    A pointer member of an object stands for its target; if ``held`` is false, it stands for itself.
    """
    if node.kind == "name" and node.variable:
        return _named(node, node.variable, scope)
    if node.kind == "index":
        return _element(node, scope)
    if node.kind == "member":
        return _member(node, scope, held=held)
    if node.kind == "token":
        return _token(node, scope)
    if node.kind == "unary" and node.text == "*":
        return _pointed(node, scope)
    if node.kind == "unary" and node.text == "&":
        return replace(place(node.children[0], scope), pointer=True)
    if node.kind == "cast":
        return place(node.children[0], scope)
    if node.kind == "string":
        return text_place(node, scope)
    if node.kind == "binary" and node.text in ("+", "-") and _points(node) and scope.context.policy.pointer_offsets:
        return _offset(node, scope)
    if _points(node) and node.kind in ("binary", "unary", "assign"):
        refuse(node.position, f"pointer arithmetic in '{node}': the array behind it is lost; write an element (a[i])")
    return refuse(node.position, unfollowed(node, no_place(node, scope.function)))


def _named(node: SyntaxNode, variable: Variable, scope: Scope) -> ArrayPlace:
    is_reference = variable.type.kind == "pointer" and node.type.kind != "pointer"
    if (start := first_place(variable, node, scope)) is not None:
        return place(start, scope) if is_reference else pointer(start, scope)
    found = variable_place(variable, node, scope)
    return replace(found, pointer=False) if is_reference else found


def _pointed(node: SyntaxNode, scope: Scope) -> ArrayPlace:
    """Return the target of a pointer; the target of a pointer to a pointer, such as ``&p``, is that pointer."""
    inner = node.children[0]
    if node.type.kind == "pointer" and inner.kind == "name":
        return replace(place(inner, scope), pointer=True)
    return replace(_moved(_object(inner, scope), Affine.of(0), node, scope), pointer=False)


def _token(node: SyntaxNode, scope: Scope) -> ArrayPlace:
    """Return the place of a stream whose tokens are read or written."""
    if not scope.context.policy.vendor_types:
        words = "a stream is between tasks: with '#pragma HLS dataflow' ppnsim run, size and schedule take them"
        raise AdvisedError(f"'{in_words(str(node))}': {words}", where=str(node.position))
    return replace(place(node.children[0], scope), random=True)  # subscripts select one stream of an array


def _offset(node: SyntaxNode, scope: Scope) -> ArrayPlace:
    """Return the place of ``a + i`` or ``a - i``: any element of the array if ``i`` is data."""
    base, by = sorted(node.children, key=lambda child: not _points(child))
    if node.text == "-":
        by = replace(by, kind="unary", text="-", children=(by,))
    if scope.context.policy.data_subscripts and not _is_affine(by, scope):
        found = pointer(base, scope)
        moved = _any_element(replace(found, subscripts=found.subscripts[:-1], pointer=False), scope, by)
        return replace(moved, pointer=True, index=_subscript_sums(found, by))
    found = pointer(base, scope)
    moved = _moved(found, affine(by, scope, "offset", node), node, scope)
    return replace(moved, pointer=True, index=_subscript_sums(found, by))


def _is_affine(node: SyntaxNode, scope: Scope) -> bool:
    try:
        return isinstance(read(node, scope), Affine)
    except (NotAffine, NotBound):
        return False


def _points(node: SyntaxNode) -> bool:
    return node.type.kind in ("pointer", "array")


def _subscript_sums(base: ArrayPlace, by: Affine | SyntaxNode) -> tuple[Sum, ...]:
    """Return the sums that compute the subscripts of an element of an array, or of an offset from a pointer."""
    known = base.computed
    return (*known[:-1], (*known[-1], by)) if base.pointer and known else (*known, (by,))


def _element(node: SyntaxNode, scope: Scope) -> ArrayPlace:
    """Return an element; a data-dependent subscript, where it is allowed, stands for any element."""
    name, subscript = node.children[0], node.children[1]
    check_followed(name)
    may_be_data = scope.context.policy.data_subscripts
    try:
        found = read(subscript, scope)
    except NotBound:
        if not may_be_data:
            raise
        return _any_element(place(name, scope), scope, subscript, name.type)
    except NotAffine as reason:
        if not scope.context.random and not may_be_data:
            advice = "for timing alone, '#pragma ppnsim access(random)' before the statement takes it for any element"
            refuse(subscript.position, f"subscript '{node}' is not affine: {reason}; {advice}")
        return _any_element(place(name, scope), scope, subscript, name.type)
    if may_be_data and not isinstance(found, Affine):
        return _any_element(place(name, scope), scope, subscript, name.type)  # hardware selects an address
    at = affine(subscript, scope, "subscript", node)
    base = place(name, scope)
    target = indexed(base, at) if base.random and not base.pointer else _moved(base, at, node, scope)
    return replace(target, index=_subscript_sums(base, subscript))


def _any_element(base: ArrayPlace, scope: Scope, by: SyntaxNode, type_: CType | None = None) -> ArrayPlace:
    """Return an element whose last subscript is data; for a pointer into rows, the row is unknown too.

    A parameter for which a row is passed, ``f(m[i])``, or whose type is an array as long as the row, stays in that row:
    hardware uses the subscripts as they are written.
    """
    if not scope.context.policy.data_subscripts:
        return ArrayPlace(base.array, random=True, path=base.path, index=_subscript_sums(base, by))
    length = scope.context.arrays[base.array].shape[-1:]
    whole = type_ is not None and type_.kind == "array" and (type_.size,) == length
    known = base.subscripts
    if base.pointer:
        row = base.row or (whole and base.subscripts[-1:] == (Affine.of(0),) and not base.random)
        known = base.subscripts[:-1] if row else (DATA,) * (len(base.subscripts) - 1)
    return ArrayPlace(base.array, (*known, DATA), random=True, path=base.path, index=_subscript_sums(base, by))


def pointer(node: SyntaxNode, scope: Scope) -> ArrayPlace:
    """Return the target of a pointer, or the first element of an array, as a pointer."""
    found = place(node, scope)
    nowhere = found.random and not found.subscripts
    if found.pointer or nowhere or node.type.kind not in ("array", "pointer"):
        return replace(found, pointer=True)
    zero, subscripts = Affine.of(0), (*found.subscripts, Affine.of(0))
    row = node.kind == "index" and len(subscripts) == len(scope.context.arrays[found.array].shape) > 1
    return replace(found, subscripts=subscripts, pointer=True, index=_subscript_sums(found, zero), row=row)


def indexed(target: ArrayPlace, at: Affine) -> ArrayPlace:
    """Return the element at an offset ``at`` in an array, or from a pointer."""
    index = _subscript_sums(target, at)
    if not target.subscripts and (target.random or target.pointer):
        return replace(target, pointer=False, index=index if target.random else ())
    if not target.pointer:
        return replace(target, subscripts=(*target.subscripts, at), index=index)
    *rows, last = target.subscripts
    return replace(target, subscripts=(*rows, last if last == DATA else last + at), pointer=False, index=index)


def carried(target: ArrayPlace, scope: Scope) -> ArrayPlace:
    """Return an element with each subscript inside its row; a subscript beyond the row continues in a later row."""
    shape = scope.context.arrays[target.array].shape
    subscripts = list(target.subscripts)
    for level in range(len(subscripts) - 1, 0, -1):
        low, high = extent(subscripts[level], scope.ranges)
        if low >= 0 and high < shape[level]:
            break
        over = subscripts[level] // shape[level]
        subscripts[level - 1 : level + 1] = [subscripts[level - 1] + over, subscripts[level] % shape[level]]
    return replace(target, subscripts=tuple(subscripts))


def _moved(base: ArrayPlace, at: Affine, node: SyntaxNode, scope: Scope) -> ArrayPlace:
    if base.pointer and not base.subscripts and at != Affine.of(0):
        refuse(node.position, f"'{node}' is beyond '{base.array}', which is not an array")
    target = indexed(base, at)
    if base.pointer and len(base.subscripts) > 1:
        if DATA not in target.subscripts:
            return carried(target, scope)
        if _beyond(target, scope):
            return replace(target, subscripts=(DATA,) * len(target.subscripts))
    return target


def _beyond(target: ArrayPlace, scope: Scope) -> bool:
    """Return whether a subscript may be outside its row, so that it names an element of another row."""
    last = target.subscripts[-1]
    low, high = (0, 0) if last == DATA else extent(last, scope.ranges)
    shape = scope.context.arrays[target.array].shape
    return low < 0 or high >= shape[len(target.subscripts) - 1]


def _object(node: SyntaxNode, scope: Scope) -> ArrayPlace:
    """Return the place of a struct, or of what a pointer to one points to; refuse a pointer kept in an object."""
    return followed(node.bare, place(node, scope), lambda: place(node.bare, scope, held=False))


def _first(node: SyntaxNode, scope: Scope) -> ArrayPlace:
    """Return the struct that a member belongs to: ``p->a`` is of the first one of a memory of many, as ``p[0].a``."""
    found = _object(node, scope)
    many = not (found.pointer or found.random or found.path) and len(scope.context.arrays[found.array].shape) == 1
    if many and not found.subscripts and node.type.kind == "pointer":
        return indexed(found, Affine.of(0))
    return replace(found, pointer=False)


def _member(node: SyntaxNode, scope: Scope, *, held: bool) -> ArrayPlace:
    """Return the place of a struct member; an array or a stream in a struct becomes a separate array."""
    base = _first(node.children[0], scope)
    context, path = scope.context, f"{base.path}.{node.text}".removeprefix(".")
    if node.type.kind not in ("array", "stream") or (base.array, path) in context.held:
        found = replace(base, path=path)
        if held and (to := context.held.get((base.array, path))) is not None:
            return to if node.type.kind == "pointer" else replace(to, pointer=False)  # a reference is the place itself
        return found
    if node.children[0].type.base().shared:
        refuse(node.position, f"'{node}' is an array that shares its bits with other members of a union; use shifts")
    name = f"{base.array}.{path}"
    if name not in context.members:
        outer = context.arrays[base.array]
        shape = outer.shape + shape_of(node.type, node, scope)
        of = as_declared(node.type, outer.type)
        made = context.new_array(name.replace(".", "_"), shape, of, outer.role, outer.position).array
        context.members[name], context.spelling.members[made] = made, (base.array, path)
        if outer.static:
            context.last_is_used(made)
        context.arrays[made] = replace(context.arrays[made], volatile=outer.volatile)
    return replace(base, array=context.members[name], path="")


def path_of(node: SyntaxNode) -> str:
    """Return the path of a place in its struct, ``cell.value`` for ``grid[i].cell.value``, "" for the whole struct."""
    parts: list[str] = []
    while node.kind in ("member", "cast") or (node.kind == "unary" and node.text == "&"):
        if node.kind == "member" and parts and node.type.kind == "array":
            break
        parts = [node.text, *parts] if node.kind == "member" else parts
        node = node.children[0]
    return ".".join(parts)


def note_copies(node: SyntaxNode, scope: Scope) -> None:
    """Record the structs that a statement copies, or passes to an opaque function."""
    for part in _copied_structs(node):
        try:
            found = place(part, scope)
        except InputError:
            continue  # the statement itself will report the error
        scope.context.copies.setdefault((found.array, found.path), node)


def check_copies(context: Context) -> None:
    """Refuse a program in which a struct is copied and an array in it is accessed on its own."""
    for array, path in context.spelling.members.values():
        copied = next(
            (at for at in context.copies if at[0] == array and f".{path}.".startswith(f".{at[1]}".rstrip(".") + ".")),
            None,
        )
        if copied is not None:
            node = context.copies[copied]
            words = f"'{node}' copies a struct of '{array}' whole, and its array '{path}' is accessed on its own"
            why = "the copy would lose what flows through the array; copy the members one by one"
            refuse(node.position, f"{words}: {why}")


def _copied_structs(node: SyntaxNode) -> Iterator[SyntaxNode]:
    for inner in node.walk("assign", "declare", "call"):
        if inner.kind != "call" and inner.type.kind == "struct":
            yield from inner.children
        elif inner.kind == "call":
            yield from (each.bare for each in inner.children if each.bare.type.base().kind == "struct")
