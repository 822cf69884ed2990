"""Perfect and nearly perfect nests, after the compiler has moved code out of the inner loop (R1.3, R1.4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ppnsim.hls.pragmas.directives import Directives, direct_loops
from ppnsim.hls.structure.blocks import locked_in
from ppnsim.hls.structure.counting import constant_trips, used
from ppnsim.hls.structure.locations import GuardedStatement, chosen_store, is_constant, iterators
from ppnsim.hls.structure.partitions import Partition
from ppnsim.hls.structure.roles import roles
from ppnsim.hls.structure.sinking import beside
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree, steps_of
from ppnsim.loops.program import Access, Execution, Loop, LoopProgram, Node, Operation, Statement

BRANCHING = ("tanh", "tanhf", "sinh", "sinhf", "cosh", "coshf", "exp", "expf", "fmax", "fmin")
"""Functions with several ways of computation that take different times: no pipeline contains them."""

CHOOSING = ("fmaxf", "fminf")
"""Functions that are a comparison and a multiplexer."""

PERIODIC = ("sin", "cos", "sinf", "cosf")
"""Functions that are separate modules; R1.3 does not copy them."""


def stays_perfect(child: Loop, real: frozenset[str], around: str = "") -> bool:
    """Return whether R1.2 leaves all code of a loop in it, except code that also leaves the loop ``around`` it."""
    steps = tuple(steps_of(child.body))
    written = {each.array for step in steps for each in step.statement.writes}
    reads = (a for step in steps for a in step.statement.reads if not a.random)
    reads = (a for a in reads if a.subscripts and a.array not in written)
    if any(child.iterator not in iterators(a) and (not around or around in iterators(a)) for a in reads):
        return False
    found = roles((child,), steps, (), real).items()
    kept = any(access.subscripts and role.kind in ("accumulate", "forward") for access, role in found)
    return not kept and not _leaves(child)


def _leaves(loop: Loop) -> bool:
    """Return whether a call of several ways leaves a loop, since no iteration changes its arguments (R1.3)."""
    inside = LoopProgram(name="", arrays=(), body=loop.body).statements()
    changed = {access.array for each in inside for access in each.writes}

    def moves(tree: Operation, statement: Statement) -> bool:
        if tree.kind == "iterator":
            return tree.text == loop.iterator
        access = None if tree.read is None else statement.reads[tree.read]
        if access is not None and (access.array in changed or loop.iterator in iterators(access)):
            return True
        return any(moves(each, statement) for each in tree.operands)

    always = (node.statement for node in loop.body if isinstance(node, Execution))
    calls = ((each, step) for step in always for each in _surely(step.value) if _is_one(each, BRANCHING))
    return not direct_loops(loop.body) and any(not moves(each, step) for each, step in calls)


def _surely(tree: Operation | None) -> Iterator[Operation]:
    """Yield the parts of an expression that are computed whatever its conditions say."""
    if tree is not None:
        yield tree
        for operand in tree.operands[:1] if tree.kind in ("?:", "&&", "||") else tree.operands:
            yield from _surely(operand)


def is_perfect(body: Sequence[Node], real: frozenset[str], around: str = "") -> bool:
    """Return whether a body is one loop, apart from variables that code before it computes from variables (R1.3).

    Such code sinks into the loop. If the loop also writes the variable, the code starts a sum, and the nest is not
    perfect.
    """
    *before, last = body
    if not isinstance(last, Loop):
        return False
    inside = LoopProgram(name="", arrays=(), body=last.body).statements()
    computed = all(isinstance(each, Execution) and of_scalars(each.statement, inside) for each in before)
    return computed and stays_perfect(last, real, around)


def of_scalars(statement: Statement, inside: Iterable[Statement]) -> bool:
    """Return whether a statement computes scalars from scalars, without a call: an inner loop may compute it.

    If it reads its own result, or writes a variable that the loop ``inside`` changes, each iteration would compute
    another value, and the statement stays.
    """
    if _elements((*statement.reads, *statement.writes)) or _calls(statement.value):
        return False
    changed = {access for each in inside for access in each.writes}
    return (set(statement.reads) | changed).isdisjoint(statement.writes)


def runs_once(loop: Loop, directives: Directives, memories: frozenset[str]) -> Loop | None:
    """Return the pipelined loop of one iteration that makes its grandparent the pipeline, None if there is none.

    The loop and the position of its directive vanish: the loop between is unrolled completely if a local memory is
    written inside; without such a memory the nest is flattened like any other (R9.16).
    """
    inside = loop
    for _ in range(2):
        if len(inside.body) != 1 or not isinstance(inside.body[0], Loop):
            return None
        inside = inside.body[0]
    if not directives.of(inside).pipeline or constant_trips(inside) != 1:
        return None
    statements = LoopProgram(name="", arrays=(), body=inside.body).statements()
    return inside if memories & {each.array for step in statements for each in step.writes} else None


def is_steady(loop: Loop, around: Loop) -> bool:
    """Return whether a loop has the same trip count in each visit: its bounds use only data set before ``around``.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> rows, columns = (Loop(iterator=name, first=(Affine.of(0),), last=(Affine.of(9),), assumed=True,
    ...                       reads=(Access(f"n{name}", ()),)) for name in "ij")
    >>> is_steady(columns, rows)
    True
    """
    if not loop.assumed:
        return True
    statements = LoopProgram(name="", arrays=(), body=around.body).statements()
    changed = {access.array for statement in statements for access in statement.writes}
    return bool(loop.reads) and not any(each.subscripts or each.random or each.array in changed for each in loop.reads)


def flattens(
    loop: Loop, inner: Pipeline, body: tuple[Tree, ...], real: frozenset[str], buses: Collection[str] | None = None
) -> bool:
    """Return whether a loop and the pipeline in its body become one pipeline (R1.4).

    The inner bounds do not use the iterator, and the nest is perfect or nearly perfect. With ``buses``, registers of
    the inner loop hold several elements of a memory that is on none of these buses, and `is_simple` decides about
    nests with other code (R9.22).
    """
    if not all(is_steady(each, loop) and not used(each, loop.iterator) for each in inner.loops):
        return False
    if not is_steady(loop, loop) or inner.around[-1:] != (loop,):
        return False
    if len(body) > 1:
        return buses is None and _nearly_perfect(inner, body, real)
    found = roles(inner.loops, inner.steps, inner.before, real).items()
    if buses is not None and any(loop.iterator in iterators(each) for each in _held(inner, real, buses)):
        return False
    return all(
        role.kind != "forward" and (role.kind != "accumulate" or role.given or not access.subscripts)
        for access, role in found
    )


def _held(inner: Pipeline, real: frozenset[str], buses: Collection[str]) -> Iterator[Access]:
    """Yield the elements that registers hold in a loop and that are loaded before it: several of a memory (R9.17)."""
    written = {each.array for step in inner.steps for each in step.statement.writes}
    found = roles(inner.loops, inner.steps, inner.before, real, recent=True, limited=written.difference(buses))
    return (access for access, role in found.items() if role.kind == "accumulate" and not role.given)


def is_simple(
    inner: Pipeline, body: tuple[Tree, ...], real: frozenset[str], partitions: Mapping[str, Partition]
) -> bool:
    """Return whether the code around an inner loop is simple (R9.22).

    The code before it sets sums to constants, and computes other scalars from scalars and elements that the nest keeps.
    The code after it has few statements, which use the sums without a call and no other elements of their arrays. Sums
    in partitioned arrays are not allowed.
    """
    before, after = beside(inner, body)
    found = roles(inner.loops, inner.steps, before, real)
    held = {access for access, role in found.items() if role.kind == "accumulate"}
    if len(after) > 1 + len(before) / 2 or any(each.array in partitions for each in held):
        return False
    stored = {each.array for part in (inner.steps, after) for step in part for each in step.statement.writes}
    if not all(_starts(step.statement, held, stored) for step in before):
        return False
    arrays = {each.array for each in held}
    return all(
        _elements(step.statement.reads) <= held and not _calls(step.statement.value)
        and not any(each.array in arrays for each in _elements(step.statement.writes) - held)
        for step in after
    )  # fmt: skip


def asks_between(loop: Loop, inner: Pipeline | Serial, body: tuple[Tree, ...], buses: frozenset[str]) -> bool:
    """Return whether code between a loop and an inner loop keeps them apart: a lock, a bus, or branches (R7.7, R9.2).

    The place of an access is known only after invariant code has left the loops.
    """
    steps = [step for part in beside(inner, body) for step in part]
    if locked_in([step.statement for step in steps]):
        return True
    if any(each.array in buses for step in steps for each in step.statement.writes):
        return True
    if any(_calls_one(step.statement) or chosen_store(step) for step in steps):
        return True
    return reads_between(loop, inner, buses, steps)


def reads_between(
    loop: Loop, inner: Pipeline | Serial, buses: frozenset[str], steps: Sequence[GuardedStatement] = ()
) -> bool:  # fmt: skip
    """Return whether a bus read between the loops depends on the outer iterator, and on no inner one (R6.21, R9.2)."""
    inside = inner.steps if isinstance(inner, Pipeline) else [s for s in inner.body if isinstance(s, GuardedStatement)]
    moving = {each.iterator for each in inner.loops}
    read = (each for s in (*steps, *inside) for each in s.statement.reads if each.array in buses and not each.random)
    return any(loop.iterator in (own := iterators(each)) and moving.isdisjoint(own) for each in read)


def takes_before(loop: Loop, inner: Pipeline | Serial, fifos: frozenset[str]) -> bool:
    """Return whether each run of an inner pipeline takes tokens of ``fifos`` that only the outer loop moves (R6.4).

    Invariant code takes them before the inner loop; under a condition they stay in it.
    """
    if not isinstance(inner, Pipeline):
        return False
    always = tuple(each for each in inner.steps if not each.conditions)
    return reads_between(loop, replace(inner, steps=always), fifos)


def keeps_short(body: Sequence[Node]) -> bool:
    """Return whether a body calls a function that keeps its short loops from being unrolled (R1.3)."""
    inside = LoopProgram(name="", arrays=(), body=tuple(body)).statements()
    return any(_calls_one(each, (*BRANCHING, *PERIODIC)) for each in inside)


def _calls_one(statement: Statement, functions: Collection[str] = BRANCHING) -> bool:
    """Return whether a statement calls one of some functions."""
    return statement.value is not None and any(_is_one(each, functions) for each in statement.value.walk())


def _is_one(tree: Operation, functions: Collection[str]) -> bool:
    return tree.kind == "call" and tree.text.rsplit("::", 1)[-1] in functions


def _starts(statement: Statement, held: set[Access], stored: set[str]) -> bool:
    """Return whether a statement sets a sum to a constant, or computes another scalar from what the nest keeps."""
    if is_constant(statement.value) and set(statement.writes) <= held:
        return True
    loaded = _elements(statement.reads)
    if loaded and not held.isdisjoint(statement.writes):
        return False  # a sum whose start is loaded
    if any(each.random or each.array in stored for each in loaded):
        return False
    return not _elements(statement.writes) and not _calls(statement.value)


def _elements(accesses: Iterable[Access]) -> set[Access]:
    return {access for access in accesses if access.subscripts or access.random}


def _nearly_perfect(inner: Pipeline, body: tuple[Tree, ...], real: frozenset[str]) -> bool:
    """Return whether the code around the inner loop only sets accumulated locations and uses the results."""
    before, after = beside(inner, body)
    if not before or inner.before or inner.after or any(constant_trips(each) is None for each in inner.loops):
        return False
    found = roles(inner.loops, inner.steps, before, real)
    held = {access for access, role in found.items() if role.kind == "accumulate"}
    started = all(is_constant(step.statement.value) and set(step.statement.writes) <= held for step in before)
    few = len(after) <= 1 + len(before) / 2
    return started and few and all(_uses_only(step.statement, held) for step in after)


def _uses_only(statement: Statement, held: set[Access]) -> bool:
    """Return whether a statement accesses only these elements of arrays, and calls no function."""
    return _elements((*statement.reads, *statement.writes)) <= held and not _calls(statement.value)


def _calls(tree: Operation | None) -> bool:
    """Return whether an expression calls a function that is more than a choice of one of its operands."""
    return tree is not None and any(each.kind == "call" and not _is_one(each, CHOOSING) for each in tree.walk())


def trips_inside(loop: Loop, loops_of: Callable[[Sequence[Node]], Sequence[Loop]] = direct_loops) -> int | None:
    """Return how often the innermost code that directives leave in a loop runs in a visit; None if not constant."""
    trips, inside = constant_trips(loop), [trips_inside(each, loops_of) for each in loops_of(loop.body)]
    if trips is None or None in inside:
        return None
    return trips * max((each for each in inside if each is not None), default=1)
