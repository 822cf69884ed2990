"""Creates the array of a variable at its first use: its shape, its role, and the target of a pointer."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NoReturn

from ppnsim.c.kinds import STEPS
from ppnsim.c.lowering.places.other_widths import seen_as
from ppnsim.c.lowering.scope import ArrayPlace, Scope, fifo_depth
from ppnsim.c.lowering.values.affine import affine
from ppnsim.c.lowering.values.literals import with_literals
from ppnsim.c.lowering.values.piecewise import extent
from ppnsim.c.plain.nodes import letters
from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import ADDRESSES


def variable_place(variable: Variable, node: SyntaxNode, scope: Scope) -> ArrayPlace:
    """Return the place of a variable; its first use creates the array."""
    table = scope.context.globals if variable.scope == "global" else scope.bindings
    if variable not in table:
        table[variable] = made = _new(variable, node, scope)
        scope.context.spelling.owners[made.array] = variable
        if variable.scope == "parameter" and variable.type.kind in ("integer", "real", "struct"):
            scope.context.arrays[made.array] = replace(scope.context.arrays[made.array], copied=True)
        if variable.scope in ("static", "global") or variable.volatile:
            scope.context.last_is_used(made.array)
        anew = scope.context.spelling.anew.get(variable, ())
        array = replace(scope.context.arrays[made.array], outside=variable.scope == "global", anew=anew)
        scope.context.arrays[made.array] = array
        if variable.volatile and scope.context.policy.own_memories and array.shape:
            scope.context.arrays[made.array] = replace(array, volatile=True)
            if variable.some_volatile:
                told = scope.context.volatile.setdefault(scope.function.name, {})
                told[variable.name] = None
                words = f"all members of {', '.join(map(repr, told))} are accessed as volatile ones, as some are"
                scope.context.assumed[f"volatile {scope.function.name}"] = words
    found = table[variable]
    if isinstance(found, ArrayPlace):
        return found
    if variable.type.kind == "pointer":
        words = f"'{variable.name}' points to nothing in a call"
        refuse(node.position, f"{words}; test it around the access, 'if ({variable.name} != nullptr)'")
    return refuse(node.position, f"'{variable.name}' stands for a value here and has no place of its own")


def text_place(node: SyntaxNode, scope: Scope) -> ArrayPlace:
    """Return the place of a string literal, ``"SYN"``: a constant array of its characters and a 0, one per literal."""
    if not scope.context.policy.own_memories:
        refuse(node.position, f"'{node}' is neither a variable nor an element of an array")
    name = f"{node.text} "  # not a valid name in C
    if name not in scope.context.members:
        made = scope.context.new_array("text", shape_of(node.type, node, scope), node.type, "local", node.position)
        scope.context.members[name] = made.array
        scope.context.spelling.initials[made.array] = str(letters(node, node.type))
    return ArrayPlace(scope.context.members[name])


def place_of_argument(variable: Variable, scope: Scope) -> ArrayPlace | None:
    """Return the place of a parameter whose array exists exactly once, None for others."""
    owners = scope.context.spelling.owners.items()
    found = [name for name, owner in owners if owner is variable] if variable.scope == "parameter" else []
    return ArrayPlace(found[0]) if len(found) == 1 else None


def keep_returned(node: SyntaxNode, scope: Scope) -> None:
    """Record that the final value of a variable is used, because a ``return`` passes it to the caller."""
    variable = node.children[0].variable if node.children else None
    found = scope.bindings.get(variable) if variable is not None else None
    if isinstance(found, ArrayPlace):
        scope.context.last_is_used(found.array)


def _new(variable: Variable, node: SyntaxNode, scope: Scope) -> ArrayPlace:
    of, name, context = variable.type, variable.name, scope.context
    if variable.scope == "parameter":
        of = seen_as(variable, scope.function, context.unit.functions) if _is_wide(of, scope) else of
        given = scope.inferred.get(name)
        if isinstance(given, CType) and _unknown(of):
            of = given
            context.size_is_used(name, given, scope.function)
        elif of.kind == "pointer" and of.element and ("&" in of.text or _is_alone(variable, scope)):
            shape = shape_of(of.element, node, scope)
            return replace(context.new_array(name, shape, of, "parameter", variable.position), pointer=True)
    if _unknown(of):
        return _behind_bus(variable, of, node, scope)
    made = context.new_array(name, shape_of(of, node, scope, name), of, _role(variable, scope), variable.position)
    lasting = of.base().const or (variable.scope == "global" and _only_by_name(variable, scope))
    if context.policy.own_memories and lasting and variable.initial:
        values = with_literals(variable.initial, scope, of.base())
        if _is_table(variable, values):
            context.spelling.initials[made.array] = str(values)
    return made


def _is_table(variable: Variable, values: SyntaxNode) -> bool:
    """Return whether a list gives an array its numbers before the kernel starts; data in it are stored each time."""
    data = any(True for _ in values.walk("name", "index", "member", "call", "token"))
    return values.kind == "list" and not (variable.scope == "local" and data)


def _only_by_name(variable: Variable, scope: Scope) -> bool:
    """Return whether a global keeps its initial value unless a store names it (R1.1 of hls)."""
    pointers = (each.initial for each in scope.context.unit.variables if each.initial and each.type.kind == "pointer")
    return not variable.volatile and all(each.variable is not variable for start in pointers for each in start.walk())


def _is_wide(of: CType, scope: Scope) -> bool:
    """Return whether a pointer may be to memory that hardware accesses in words of another width."""
    return scope.context.policy.own_memories and of.kind == "pointer" and "&" not in of.text


def _role(variable: Variable, scope: Scope) -> Literal["parameter", "local"]:
    """Return the role of an array: a global one is local if it is a stream or a constant table.

    If memories belong to the kernel, every global is one of them (R6.25 of hls): only the function's own arguments are
    ports.
    """
    table = variable.type.base().const and variable.initial is not None
    if variable.scope == "global" and (scope.context.policy.own_memories or table or fifo_depth(variable.type)):
        return "local"
    return "parameter" if variable.scope in ("parameter", "global") else "local"


def _behind_bus(variable: Variable, of: CType, node: SyntaxNode, scope: Scope) -> ArrayPlace:
    """Return a memory of unknown size: a bus reaches as many elements as there are addresses."""
    if not scope.context.policy.own_memories or of.element is None or (variable.scope, of.kind) == ("global", "array"):
        _no_shape(variable, node)
    inner = shape_of(of.element, node, scope, variable.name)
    made = scope.context.new_array(variable.name, (ADDRESSES, *inner), of, "parameter", variable.position)
    return ArrayPlace(made.array, (Affine.of(0),), pointer=True) if inner else made


def _unknown(of: CType) -> bool:
    return of.kind == "pointer" or (of.kind == "array" and of.size is None)


def _is_alone(variable: Variable, scope: Scope) -> bool:
    """Return whether a pointer is to a single element that is not on a bus."""
    where, last = scope.function.position, scope.function.end
    if scope.context.pragmas.on_bus(where.file, where.line, last, variable.name):
        return False
    if scope.context.policy.on_buses & {("", variable.name), (scope.function.name, variable.name)}:
        return False
    return _only_behind(variable, scope.function, scope)


def _only_behind(variable: Variable, function: Function, scope: Scope, names: tuple[Variable, ...] = ()) -> bool:
    """Return whether a pointer is only dereferenced (``*p``, ``p->x``), so that it points to a single element.

    Memory behind a bus may have more elements. Therefore the functions that receive the pointer are checked as well,
    and so are the aliases ``names`` to which it was assigned (``q = p``).
    """
    looked_into, names = scope.context.policy.own_memories, (*names, variable)
    for node in function.walk():
        if looked_into and _is_block(node, variable):
            return False
        others = _named_after(node, variable) - {*names} if looked_into else ()
        if not all(_only_behind(other, function, scope, names) for other in others):
            return False
        if not any(child.variable is variable for child in node.children):
            continue
        if node.kind in ("index", "binary", "cast") or (node.kind == "unary" and node.text in STEPS):
            return False
        if node.kind == "assign" and node.text != "=" and node.children[0].variable is variable:
            return False
        if looked_into and not all(_only_behind(*own, scope) for own in _handed(node, variable, function, scope)):
            return False
    return True


def _handed(
    node: SyntaxNode, variable: Variable, function: Function, scope: Scope
) -> list[tuple[Variable, Function]]:  # fmt: skip
    """Return the parameters of the called function that receive a pointer in a call."""
    called = scope.context.unit.functions.get(node.text) if node.kind == "call" else None
    if called is None or called is function:
        return []
    handed = zip(node.children, called.parameters, strict=False)
    return [(parameter, called) for argument, parameter in handed if argument.variable is variable]


def _named_after(node: SyntaxNode, variable: Variable) -> set[Variable]:
    """Return the pointer that becomes an alias of another pointer in a declaration or an assignment."""
    other, value = node.variable, node.variable.initial if node.variable is not None else None
    if node.kind == "assign" and node.text == "=":
        other, value = node.children[0].variable, node.children[1]
    elif node.kind != "declare":
        return set()
    return {other} if other is not None and value is not None and value.bare.variable is variable else set()


def _is_block(node: SyntaxNode, variable: Variable) -> bool:
    """Return whether a call copies or fills several elements, or an unknown number, at a pointer's target."""
    if node.kind != "call" or node.text not in ("memcpy", "memset"):
        return False
    one = variable.type.element.bits // 8 if variable.type.element is not None else 0
    behind = any(child.bare.kind == "name" and child.bare.variable is variable for child in node.children[:2])
    return behind and not 0 < (node.children[2].bare.value or 0) <= one


def _no_shape(variable: Variable, node: SyntaxNode) -> NoReturn:
    of = variable.type
    written = f"{of.text} {variable.name}" if of.kind == "pointer" else f"{of.base().text} {variable.name}[]"
    problem = f"array without shape: '{written}' does not say how many elements there are"
    name = f"{of.base().text} {variable.name}"
    if variable.scope == "global":  # R6.25 of hls: a memory of the kernel, and no bus
        refuse(node.position, f"{problem}; declare it with its size, {name}[64]")
    refuse(node.position, f"{problem}; declare it with its size, {name}[64], or as {name}[n] after a parameter int n")


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
