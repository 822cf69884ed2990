"""How often a loop runs as a formula of the kernel's scalar arguments, where its head and they say it."""

from __future__ import annotations

from ppnsim.c.kinds import STEPS
from ppnsim.c.lowering.control.loop_heads import constant_step, iterator_of
from ppnsim.c.lowering.control.unseen import other_name
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.values.constants import extreme
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.loops.in_c import combined
from ppnsim.loops.polynomials import Polynomial, most
from ppnsim.loops.summed import ITERATOR, least, of_iterators

_WAYS_OUT = frozenset(("left", "break", "return", "goto", "continue"))


def runs_of(node: SyntaxNode, scope: Scope) -> tuple[Polynomial, Polynomial] | None:
    """Return the iterations of a ``for`` in each visit, and its first value, by the names of scalars and iterators.

    None where they do not say it.

    It is asked once the head has been read, which gives scalars their names in the program. What these are by the
    arguments of the kernel is seen in the whole program. Ways out of the body, and code that changes the
    iterator, leave nothing to say.
    """
    if node.kind != "for":
        return None
    try:
        variable, start = iterator_of(node)
        step = constant_step(node.children[2], variable, scope) or _stride(node.children[2], variable, scope)
        if step is None or other_name(node, variable, scope) or _is_changed(node.children[3], variable):
            return None
        begin = _value(start, scope)
        tests = [] if begin is None else [_until(each, variable, begin, step, scope) for each in _all(node.children[1])]
    except InputError:
        return None
    known = [each for each in tests if each is not None]
    return (least(*known), begin) if begin is not None and len(known) == len(tests) else None


def _all(test: SyntaxNode) -> list[SyntaxNode]:
    """Return the parts of a condition that all have to hold."""
    if test.bare.kind == "binary" and test.bare.text == "&&":
        return [part for each in test.bare.children for part in _all(each)]
    return [test.bare]


def _stride(node: SyntaxNode, variable: Variable, scope: Scope) -> Polynomial | None:
    """Return a step that is no constant: ``i += n``, which never ends for 0."""
    if node.kind != "assign" or node.text != "+=" or node.children[0].variable is not variable:
        return None
    found = _value(node.children[1], scope)
    return found if found is not None and _from_0_on(found, scope) else None


def _until(
    test: SyntaxNode, variable: Variable, begin: Polynomial, step: int | Polynomial, scope: Scope
) -> Polynomial | None:  # fmt: skip
    """Return how often a loop runs until a test fails."""
    if test.kind != "binary" or test.children[0].bare.variable is not variable or test.children[0].bare.children:
        return None
    end = _value(test.children[1], scope)
    if end is None or _is_narrow(variable, test.children[1]):
        return None
    if variable.type.wraps and not (_from_0_on(begin, scope) and _from_0_on(end, scope)):
        return None
    if variable.type.wraps and test.text == ">=":  # at 0 it goes round
        return None
    return _times(test.text, begin, end, step)


def _times(test: str, begin: Polynomial, end: Polynomial, step: int | Polynomial) -> Polynomial | None:
    """Return how often a loop runs from a beginning to an end in steps, None for tests of another kind."""
    up = isinstance(step, Polynomial) or step > 0
    way, stride = (end - begin, step) if up else (begin - end, -step)
    short, whole = ("<", "<=") if up else (">", ">=")
    if test == short or (test == "!=" and stride == 1):
        return (way + stride - 1).divided(stride).positive()
    return (way + stride).divided(stride).positive() if test == whole else None


def _is_narrow(variable: Variable, end: SyntaxNode) -> bool:
    """Return whether an iterator may go round before it comes to its bound."""
    return variable.type.kind != "integer" or variable.type.bits < min(end.bare.type.bits, 32)


def _is_changed(body: SyntaxNode, variable: Variable) -> bool:
    """Return whether a body assigns the iterator of its loop, or may end the loop."""
    return any(
        each.kind in _WAYS_OUT
        or ((each.kind == "assign" or each.text in STEPS) and each.children and each.children[0].variable is variable)
        for each in body.walk()
    )


def _from_0_on(value: Polynomial, scope: Scope) -> bool:
    """Return whether a value is never negative; a variable with a sign that is no argument may be."""
    if not value.never_negative:
        return False
    of_loops = {name.removeprefix(ITERATOR) for name in value.names if name.startswith(ITERATOR)}
    named = [scope.context.arrays[name.partition(".")[0]] for name in value.names if not name.startswith(ITERATOR)]
    return all(x.role == "parameter" or x.type.startswith(("unsigned", "ap_uint")) for x in named) and all(
        scope.ranges.get(each, (-1, 0))[0] >= 0 for each in of_loops
    )


def _value(node: SyntaxNode, scope: Scope) -> Polynomial | None:
    """Return the value of an expression of numbers and scalar arguments, None for others."""
    if node.kind == "integer" and node.value is not None:
        return Polynomial.of(node.value)
    if node.kind == "cast":
        return _converted(node, node.children[0], scope)
    if node.kind == "name" and node.variable is not None:
        return _named(node, node.variable, scope)
    if node.kind == "member" or (node.kind == "unary" and node.text == "*"):
        return _inside(node, scope)
    if node.kind == "choice" or extreme(node, scope.context.unit.functions):
        return _of_two(node, scope)
    if node.kind == "binary" and node.type.kind == "integer" and len(node.children) == 2:
        left, right = (_value(each, scope) for each in node.children)
        if left is not None and right is not None:
            return combined(node.text, left, right, signed=not node.type.wraps)
    return None


def _converted(node: SyntaxNode, inner: SyntaxNode, scope: Scope) -> Polynomial | None:
    """Return the value of a conversion between whole numbers that changes none."""
    if inner.kind == "integer" and inner.value is not None and node.type.kind == "integer":
        low, high = node.type.limits
        return Polynomial.of(inner.value) if low <= inner.value <= high else None
    kept = node.type.kind == inner.type.kind == "integer" and node.type.bits >= min(inner.type.bits, 32)
    value = _value(inner, scope) if kept else None
    goes_round = node.type.wraps and not inner.type.wraps and value is not None and not _from_0_on(value, scope)
    return None if goes_round else value


def _of_two(node: SyntaxNode, scope: Scope) -> Polynomial | None:
    """Return the value of a ``min`` or a ``max``, also as a choice: ``a < b ? a : b``."""
    operator, compared, ends = extreme(node, scope.context.unit.functions), node.children, node.children
    if node.kind == "choice":
        test = node.children[0].bare
        operator, compared, ends = test.text, test.children, node.children[1:]
    if operator not in ("<", "<=", ">", ">="):
        return None
    first, second, yes, no = (_value(each, scope) for each in (*compared, *ends))
    if yes is None or no is None or (yes, no) not in ((first, second), (second, first)):
        return None
    return (least if (operator[0] == "<") == (first == yes) else most)(yes, no)


def _inside(node: SyntaxNode, scope: Scope) -> Polynomial | None:
    """Return the name of a member of a struct, ``p.n``, or of what a pointer points to."""
    whole = node.children[0].bare
    known = None if whole.variable is None else scope.bindings.get(whole.variable)
    if not isinstance(known, ArrayPlace) or known.path or known.random or node.type.kind != "integer":
        return None
    member = f".{node.text}" if node.kind == "member" else ""
    return None if scope.context.arrays[known.array].shape else Polynomial.of(known.array + member)


def _named(node: SyntaxNode, variable: Variable, scope: Scope) -> Polynomial | None:
    """Return the value of a variable: a number, or its name in the program."""
    known = scope.bindings.get(variable) or scope.context.globals.get(variable)
    if isinstance(known, Affine):
        return of_iterators(known)
    if isinstance(known, ArrayPlace) and not (known.subscripts or known.path or known.random):
        whole = node.type.kind == "integer" and not scope.context.arrays[known.array].shape
        return Polynomial.of(known.array) if whole else None
    return None
