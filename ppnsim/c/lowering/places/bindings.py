"""Binds names that stand for something else: an integer for its value, a pointer for its target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod

from ppnsim.c.lowering.places.arrays import shape_of
from ppnsim.c.lowering.places.elements import place, pointer
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, read, stored
from ppnsim.c.lowering.values.piecewise import Value
from ppnsim.c.lowering.variables.reaching import followed, set_by
from ppnsim.c.syntax import CType, SyntaxNode, Variable, refuse
from ppnsim.loops.expressions import Affine

# Arguments of an allocating function whose product is the number of bytes.
ALLOCATING = {
    "malloc": (0,), "calloc": (0, 1), "valloc": (0,), "alloca": (0,), "aligned_alloc": (1,), "memalign": (1,),
    "_mm_malloc": (0,), "polybench_alloc_data": (0, 1), "xmalloc": (0,),
}  # fmt: skip


def bound_value(node: SyntaxNode, scope: Scope) -> bool:
    """Bind an integer that controls the kernel to its assigned value; return False if the value is data."""
    variable = node.children[0].variable
    if variable is None or variable not in scope.steering or variable.scope != "local":
        return False
    value = node.children[1]
    if node.text != "=":
        value = replace(node, kind="binary", text=node.text[:-1])
    try:
        scope.bindings[variable] = stored(value, variable.type, scope)
    except (NotAffine, NotBound) as reason:
        if isinstance(reason, NotBound) and not scope.context.policy.data_subscripts:
            raise
        if not isinstance(scope.bindings.get(variable), ArrayPlace):  # else it is data already and keeps its place
            scope.bindings.pop(variable, None)
        return False
    return True


def target_of(variable: Variable, value: SyntaxNode, scope: Scope) -> ArrayPlace:
    """Return the place that is assigned to a pointer; an allocation creates a new array."""
    shape = allocated(value, variable.type, scope)
    if shape is None and value.bare.kind == "call":
        advice = "declare it as an array, with sizes, or allocate it with a size that is a number"
        words = f"array without shape: '{variable.name}' is what '{value.bare}' returns"
        refuse(value.bare.position, f"{words}; {advice}")
    if shape is None and "&" in variable.type.text:
        return replace(place(value.bare, scope), pointer=True)
    if shape is None:
        return _recast(pointer(value.bare, scope), variable.type, value, scope)
    made = scope.context.new_array(variable.name, shape, variable.type, "local")
    if scope.context.policy.vendor_pragmas:
        words = (
            f"{value.bare.position}: what '{value.bare}' returns is taken as an array: synthesis allocates no memory"
        )
        size = "".join(f"[{each}]" for each in shape)
        declared = f"{variable.type.base().text} {variable.name}{size}"
        scope.context.assumed[f"allocated {value.bare.position}"] = f"{words}; declare '{declared}'"
    scope.context.spelling.owners[made.array] = variable
    return ArrayPlace(made.array, (Affine.of(0),), pointer=True)


def _recast(found: ArrayPlace, to: CType, value: SyntaxNode, scope: Scope) -> ArrayPlace:
    """Return a pointer to elements that is cast from a pointer to rows, ``(int *)a`` of ``a[8][4]``."""
    inner, dims = to.element, 0
    while inner is not None and inner.kind == "array":
        inner, dims = inner.element, dims + 1
    missing = len(scope.context.arrays[found.array].shape) - dims - len(found.subscripts)
    if value.kind != "cast" or missing <= 0 or not found.subscripts or found.path:
        return found
    zeros = [Affine.of(0)] * missing
    index = (*found.index, *((each,) for each in zeros)) if found.index else ()
    return replace(found, subscripts=(*found.subscripts, *zeros), index=index)


def rows(bindings: Mapping[Variable, ArrayPlace | Value]) -> tuple[tuple[str, int], ...]:
    """Return the names that stand for a row, or for an object in an array, and how many subscripts select it."""
    found = {}
    for variable, known in bindings.items():
        if isinstance(known, ArrayPlace) and known.pointer and known.subscripts:
            whole = variable.name == "this" or "&" in variable.type.text
            found[variable.name] = len(known.subscripts) - (not whole)
    return tuple(sorted((name, count) for name, count in found.items() if count))


def table(variable: Variable, scope: Scope) -> dict[Variable, ArrayPlace | Value]:
    """Return the table that tells what a variable stands for: that of all calls for a global, else that of the call."""
    return scope.context.globals if variable.scope == "global" else scope.bindings


def moves(variable: Variable, scope: Scope) -> bool:
    """Return whether a pointer is changed, so that one use of it may refer to several places."""
    body = scope.function.body
    if variable not in scope.changed or "&" in variable.type.text or body is None:
        return False
    return not followed(variable, body, known=variable.scope == "parameter")


def moves_for_all(variable: Variable, target: ArrayPlace, scope: Scope) -> bool:
    """Return whether several places set a global pointer, or one sets it to a place that iterators select.

    The calls in between, and all later calls, use the place at which it was left.
    """
    bodies = scope.context.unit.functions.values()
    changes = [node for each in bodies for node in each.walk("assign", "unary") if set_by(node) is variable]
    return len(changes) > 1 or not all(isinstance(each, Affine) and each.is_constant for each in target.subscripts)


def allocated(node: SyntaxNode, of: CType, scope: Scope) -> tuple[int, ...] | None:
    """Return the shape of the memory that a call allocates, None for other calls and unknown sizes.

    ``double (*a)[8] = malloc(512)`` points to 8 rows of 8 elements: shape (8, 8).
    """
    node = node.bare
    if node.kind != "call" or node.text not in ALLOCATING or of.element is None:
        return None
    try:
        sizes = [read(node.children[place], scope) for place in ALLOCATING[node.text]]
        inner = shape_of(of.element, node, scope)
    except (NotAffine, NotBound, IndexError):
        return None
    numbers = [size.constant for size in sizes if isinstance(size, Affine) and size.is_constant]
    width = prod(inner) * of.base().bits // 8
    if len(numbers) < len(sizes) or not width or prod(numbers) < width:
        return None
    return (prod(numbers) // width, *inner)
