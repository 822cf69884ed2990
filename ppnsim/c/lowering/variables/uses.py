"""Finds the control integers of a function: bounds, subscripts and conditions depend on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from ppnsim.c.kinds import LOOPS, STEPS
from ppnsim.c.lowering.variables.reaching import Mentions, followed
from ppnsim.c.syntax import CType, Function, SyntaxNode, TranslationUnit, Variable

# Calls that measure, print or check; they do not belong to a kernel's work.
AROUND = frozenset(
    """printf fprintf sprintf snprintf puts fputs putchar fputc fflush perror scanf fscanf fopen fclose exit abort free
    clock time gettimeofday clock_gettime srand assert __assert_fail omp_get_wtime""".split()  # noqa: SIM905
)


@lru_cache(maxsize=1024)
def has_loop(function: Function) -> bool:
    """Return whether a function's body contains a loop of any kind."""
    return any(node.kind in LOOPS for node in function.walk())


def is_kernel(function: Function, functions: Mapping[str, Function]) -> bool:
    """Return whether a function has loops over arrays, or calls a function that has some."""
    seen, waiting = {function.name}, [function]
    for each in waiting:  # the list grows during the loop
        if each.body is None:
            continue
        if has_loop(each) and _has_arrays(each):
            return True
        further = {call.text for call in _calls(each)} - seen
        seen |= further
        waiting += [functions[name] for name in further if name in functions]
    return False


@lru_cache(maxsize=1024)
def _has_arrays(function: Function) -> bool:
    """Return whether a function takes arrays, or names global variables."""
    if any(p.type.kind in ("array", "pointer") for p in function.parameters):
        return True
    return any(n.kind == "name" and n.variable and n.variable.scope == "global" for n in function.walk())


def is_opened(function: Function, functions: Mapping[str, Function]) -> bool:
    """Return whether the body of a function replaces a call that is a statement of its own.

    This is true for kernels, and for functions whose arguments select elements: ``void put(int *a, int i) { a[i] =
    ..``.
    """
    if is_kernel(function, functions) or function.body is None:
        return function.body is not None
    nodes = list(function.walk())
    computed = any(n.kind == "index" and n.children[1].value is None for n in nodes)
    calls = any(n.kind == "call" and n.text in functions for n in nodes)
    return computed and not calls and function.result.kind == "void"


@lru_cache(maxsize=1024)
def written(function: Function) -> dict[Variable, list[SyntaxNode]]:
    """Return the variables that a function assigns, with the assigning nodes (without declarations)."""
    found: dict[Variable, list[SyntaxNode]] = {}
    for node in function.walk("assign", "unary"):
        changes = node.kind == "assign" or node.text in (*STEPS, "&")
        if changes and (place := whole(node.children[0])).variable and place.kind == "name":
            found.setdefault(place.variable, []).append(node)
    return found


def shown(unit: TranslationUnit) -> frozenset[Variable]:
    """Return the global variables with a global pointer or reference to them, through which they may change."""
    pointers = [each.initial for each in unit.variables if each.type.kind == "pointer" and each.initial is not None]
    named = (node.variable for initial in pointers for node in initial.walk() if node.kind == "name")
    return frozenset(each for each in named if each is not None and not each.type.const)


def whole(node: SyntaxNode) -> SyntaxNode:
    """Return the number from which a place selects bits, ``w`` for ``w(7, 0)``, else the place."""
    while (node := node.bare).kind == "bits":
        node = node.children[0]
    return node


def controls(function: Function, functions: Mapping[str, Function]) -> set[Variable]:
    """Return the control integers of a function that have one value in each execution of their block.

    Such an integer stands for its value and is not data: ``int k = i + 1; a[k] = 0;`` writes ``a[i + 1]``.
    """
    if function.body is None:
        return set()
    steering = {v for node in _steering(function.body, functions) for v in _names(node)}
    values: dict[Variable, list[SyntaxNode]] = {}
    for node in function.walk("declare", "assign"):
        if node.kind == "declare" and node.variable and node.children:
            values.setdefault(node.variable, []).append(node.children[0])
        elif node.kind == "assign" and node.children[0].variable:
            values.setdefault(node.children[0].variable, []).append(node.children[1])
    waiting = list(steering)
    while waiting:
        new = {v for node in values.get(waiting.pop(), ()) for v in _names(node)} - steering
        steering |= new
        waiting += new
    steering -= handed_out(function, functions)
    return _with_one_value({v for v in steering if v.type.kind == "integer"}, function, function.body)


def _with_one_value(integers: set[Variable], function: Function, body: SyntaxNode) -> set[Variable]:
    changed, mentions = written(function), Mentions.of((body,))
    assigned = [node.children[0] for node in function.walk("assign")]
    in_part = {whole(each).variable for each in assigned if each.bare.kind == "bits"}
    local = {v for v in integers - in_part if v.scope == "local" and followed(v, body, mentions=mentions)}
    return local | {v for v in integers if v.scope != "local" and v not in changed}


def changes(function: Function, parameter: Variable, functions: Mapping[str, Function]) -> bool:
    """Return whether a function, or a function to which it passes its parameter, changes the target of a reference."""
    return parameter in written(function) or parameter in handed_out(function, functions)


@lru_cache(maxsize=1024)
def _calls(function: Function) -> tuple[SyntaxNode, ...]:
    return tuple(function.calls())


def handed_out(function: Function, functions: Mapping[str, Function]) -> set[Variable]:
    """Return the variables of a function that called functions change through references.

    Recursive functions are refused when they are inlined.
    """
    return _handed_out(function, functions, {})


def _handed_out(
    function: Function, functions: Mapping[str, Function], known: dict[Function, set[Variable]]
) -> set[Variable]:  # fmt: skip
    """Return the variables for `handed_out`; ``known`` holds the results of functions that were visited already."""
    found = known[function] = set[Variable]()
    for call in _calls(function):
        called = functions.get(call.text)
        if called is None or called is function or called.body is None:
            continue
        for argument, parameter in zip(call.children, called.parameters, strict=False):
            place = argument.bare
            while place.kind == "index":
                place = place.children[0].bare
            named = place.variable if place.kind == "name" else None
            if named is None or "&" not in parameter.type.text or parameter.type.element is None:
                continue
            below = known.get(called)
            below = _handed_out(called, functions, known) if below is None else below
            if parameter in written(called) or parameter in below:
                found.add(named)
    return found


def _names(node: SyntaxNode) -> Iterator[Variable]:
    return (n.variable for n in node.walk("name") if n.variable)


def _steering(body: SyntaxNode, functions: Mapping[str, Function]) -> Iterator[SyntaxNode]:
    for node in body.walk():
        if node.kind == "index":
            yield node.children[1]
        elif node.kind == "binary" and node.type.kind in ("pointer", "array"):
            yield node
        elif node.kind in ("if", "for"):
            yield from node.children[: 1 if node.kind == "if" else 3]
        elif node.kind == "call" and node.text in functions and is_opened(functions[node.text], functions):
            yield from node.children
        elif node.kind == "declare" and node.variable:
            yield from _sizes(node.variable.type)


def _sizes(of: CType) -> Iterator[SyntaxNode]:
    if isinstance(of.size, SyntaxNode):
        yield of.size
    if of.element:
        yield from _sizes(of.element)
