"""The tree of loops in hardware: pipelines, loops of the state machine, and statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.hls.structure.locations import GuardedStatement, distinct
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.program import Access, Array, Execution, Guard, Loop, LoopProgram, Node, Statement


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A pipelined loop, or several flattened loops; ``before`` and ``after`` are statements that flattening took in.

    Directives give ``distances`` (the iterations after which an element of an array may be accessed again; 0: never; ""
    stands for all arrays), ``apart`` (the arrays whose accesses never alias in one iteration), the least ``depth`` in
    states, and ``balance`` of chains of operators. ``call``: the pipeline is a function. ``asked``: a directive
    pipelines it, with an interval if it is ``firm``. ``rewind``: the next run may start before the end of the last;
    ``unwound`` is why a loop with that directive does not (R5.26).
    """

    loops: tuple[Loop, ...]
    steps: tuple[GuardedStatement, ...]
    before: tuple[GuardedStatement, ...] = ()
    after: tuple[GuardedStatement, ...] = ()
    around: tuple[Loop | Condition, ...] = ()
    unrolled: bool = False
    ii: int = 1
    distances: Mapping[str, int] = field(default_factory=dict)
    apart: frozenset[str] = frozenset()
    depth: int = 0
    balance: bool | None = None
    call: bool = False
    asked: bool = False
    firm: bool = False
    rewind: bool = False
    unwound: str = ""


@dataclass(frozen=True, slots=True)
class Serial:
    """A loop of the state machine, or several perfectly nested loops that share a header."""

    loops: tuple[Loop, ...]
    body: tuple[Tree, ...]
    around: tuple[Loop | Condition, ...] = ()


Tree = Pipeline | Serial | GuardedStatement


def changed(trees: Sequence[Tree], change: Callable[[Statement], Statement]) -> tuple[Tree, ...]:
    """Return trees with every statement changed; identical steps remain one object."""

    def one(step: GuardedStatement) -> GuardedStatement:
        new = change(step.statement)
        return step if new is step.statement else replace(step, statement=new)

    def steps(some: Sequence[GuardedStatement]) -> tuple[GuardedStatement, ...]:
        made = {id(step): one(step) for step in distinct(some)}
        return tuple([made[id(step)] for step in some])

    found: list[Tree] = []
    for tree in trees:
        if isinstance(tree, Serial):
            found.append(replace(tree, body=changed(tree.body, change)))
        elif isinstance(tree, Pipeline):
            found.append(replace(tree, steps=steps(tree.steps), before=steps(tree.before), after=steps(tree.after)))
        else:
            found += steps([tree])
    return tuple(found)


def scattered(program: LoopProgram, trees: Sequence[Tree]) -> list[Array]:
    """Return the local arrays that are accessed only with constant subscripts: each element becomes a register.

    The compiler front end does this to arrays on the stack (R6.3).
    """
    local = {
        array.name: array for array in program.arrays
        if array.role == "local" and array.shape and not array.stream
    }  # fmt: skip
    accessed: set[str] = set()
    for statement in statements_of(trees) if local else ():
        for access in (*statement.reads, *statement.writes):
            if access.array not in local:
                continue
            accessed.add(access.array)
            if access.random or not all(subscript.is_constant for subscript in access.subscripts):
                del local[access.array]
    return [array for name, array in local.items() if name in accessed]


def size_of(trees: Sequence[Tree]) -> int:
    """Return the number of statements in trees, all copies included."""
    inner = sum(size_of(tree.body) for tree in trees if isinstance(tree, Serial))
    pipelines = [tree for tree in trees if isinstance(tree, Pipeline)]
    return inner + len(trees) + sum(len(each.before) + len(each.steps) + len(each.after) for each in pipelines)


def statements_of(trees: Sequence[Tree]) -> Iterator[Statement]:
    """Yield the statements of trees in program order, identical copies once."""
    for tree in trees:
        if isinstance(tree, Serial):
            yield from statements_of(tree.body)
        else:
            steps = (*tree.before, *tree.steps, *tree.after) if isinstance(tree, Pipeline) else (tree,)
            yield from (step.statement for step in distinct(steps))


def accesses_of(pipeline: Pipeline) -> list[Access]:
    """Return the accesses of an iteration of a pipelined loop in program order, copies once."""
    steps = distinct((*pipeline.before, *pipeline.steps, *pipeline.after))
    return [access for step in steps for access in (*step.statement.reads, *step.statement.writes)]


def steps_of(body: Sequence[Node], under: tuple[Condition, ...] = ()) -> list[GuardedStatement]:
    """Return the statements of a body without loops, each with its conditions; identical steps remain one object."""
    found: list[GuardedStatement] = []
    known: dict[int, GuardedStatement] = {}
    for node in body:
        if isinstance(node, Execution):
            found.append(known.get(id(node)) or known.setdefault(id(node), GuardedStatement(node.statement, under)))
        elif isinstance(node, Guard):
            found += steps_of(node.body, (*under, node.condition))
            found += steps_of(node.otherwise, (*under, Not(node.condition)))
    return found
