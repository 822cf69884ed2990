"""The state machine around pipelined loops, and the cycles of all (R5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ppnsim.hls.graph.flow import Flow
from ppnsim.hls.library.library import Library
from ppnsim.hls.library.types import Format
from ppnsim.hls.pragmas.directives import Directives, all_loops, scope_of
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.schedule.body import Kernel
from ppnsim.hls.schedule.known import Known
from ppnsim.hls.schedule.regions import Nest, Region, RegionBuilder, nest_of
from ppnsim.hls.structure.folding import folded, tables_of
from ppnsim.hls.structure.members import without_structs
from ppnsim.hls.structure.storage import REGISTERS
from ppnsim.hls.structure.structure import structured
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree, scattered
from ppnsim.hls.structure.unrolling import flat_in
from ppnsim.loops.expressions import Affine, Condition
from ppnsim.loops.program import Loop, LoopProgram, Node, Position


@dataclass(frozen=True, slots=True)
class Task:
    """A task of a dataflow region: cycles of a run that nothing holds up, and when it ran in the region.

    ``start`` is that of its first run and ``end`` of its last; it stood still for ``waited`` cycles in all, and its
    longest run took ``interval`` cycles.
    """

    name: str
    position: Position
    cycles: int
    start: int
    end: int
    waited: int
    interval: int


@dataclass(frozen=True, slots=True)
class Machine:
    """A scheduled kernel: cycles from its start to its end, its pipelined loops and what is around them.

    ``tree`` is its structure, ``registers`` are arrays of which each element is one. ``tasks`` are those of a dataflow
    region, each of which ran ``runs`` times, and ``parts`` their schedules; ``nests`` are the loops of all.
    """

    cycles: int
    nests: tuple[Nest, ...]
    regions: tuple[Region, ...]
    tree: tuple[Tree, ...] = ()
    registers: frozenset[str] = frozenset()
    tasks: tuple[Task, ...] = ()
    parts: tuple[Machine, ...] = ()
    runs: int = 1


def scheduled(
    program: LoopProgram, library: Library, directives: Directives | None = None, rules: Rules = TOOL, *,
    known: Known | None = None,
) -> Machine:  # fmt: skip
    """Return the schedule of a kernel.

    The cycles are those between start and done (R5.9). A kernel that is one pipelined loop and nothing else is that
    pipeline itself; else a state machine goes through regions, in each loop's header once more than it runs (R5.1):
    the last visit of a header is the first state of what comes after the loop.

    Parameters
    ----------
    known : what calls with the same program, library and rules have found; kept up to date.

    Raises
    ------
    InputError
        If an operator or type is not in the library, a directive cannot be followed, or a bound cannot be counted.
    """
    from ppnsim.hls.dataflow.fifo_check import check_elements, check_fifos
    from ppnsim.hls.dataflow.tasks import dataflow_region, in_tasks  # each task is scheduled by this function's rest

    directives, program = directives or Directives(), without_structs(program)
    if (region := dataflow_region(program, directives)) is not None:
        machine = in_tasks(
            program, directives, region, lambda task: _machine(task, library, directives, rules, Known())
        )
    else:
        machine = _machine(program, library, directives, rules, known or Known())
        check_fifos(program, machine, directives)
    check_elements(program, machine, directives)
    return machine


def _machine(program: LoopProgram, library: Library, directives: Directives, rules: Rules, known: Known) -> Machine:
    """Return the schedule of a kernel, or of a task of a dataflow region."""
    program, directives = _pipelined(program, directives)
    tree = trees_of(program, directives, rules, known)
    registers = {name: REGISTERS for name, each in directives.partitions.items() if each.registers}
    others = [array.name for array in scattered(program, tree) if array.name not in directives.partitions]
    registers |= dict.fromkeys(others, REGISTERS)
    arrays = {array.name: array for array in program.arrays}
    written = frozenset(access.array for statement in program.statements() for access in statement.writes)
    storage = {**directives.storage, **registers}
    kernel = Kernel(
        library, arrays, directives.partitions, written, rules, storage, directives.bound, directives.limits, known
    )  # fmt: skip
    if len(tree) == 1 and isinstance(tree[0], Pipeline):
        nest = nest_of(kernel, tree[0], (), (), Flow(library, arrays, storage=storage), alone=True)
        return Machine(nest.cycles - 1, (nest,), (), tree, frozenset(registers))
    regions = _walked(kernel, tree, (), (), ())
    nests = tuple(nest for region in regions for nest in region.nests)
    return Machine(sum(region.cycles for region in regions) - 1, nests, tuple(regions), tree, frozenset(registers))


def _pipelined(program: LoopProgram, directives: Directives) -> tuple[LoopProgram, Directives]:
    """Take pipelined functions for what they are: all loops in them are unrolled, and the kernel is a loop itself."""
    paths = []
    for number, frame in enumerate(program.frames):
        asked = directives.functions.get((frame.position.file, frame.position.line))
        if asked is not None and asked.pipeline and number:
            paths.append(frame.path)
        elif asked is not None and asked.pipeline:
            once = Loop(
                iterator=program.name, first=(Affine.of(0),), last=(Affine.of(0),), body=program.body,
                position=frame.position, end=frame.end,
            )  # fmt: skip
            loops = {scope_of(once): replace(asked, call=True)}
            return replace(program, body=(once,)), replace(directives, loops=loops)
    return (replace(program, body=flat_in(program.body, paths)) if paths else program), directives


def trees_of(program: LoopProgram, directives: Directives, rules: Rules, known: Known) -> tuple[Tree, ...]:
    """Return the body of a program with every loop decided on."""
    formats = {array.name: Format.held(array, f"'{array.name}' of {program.name}") for array in program.arrays}
    real = {name for name, each in formats.items() if each.real}
    written = frozenset(access.array for statement in program.statements() for access in statement.writes)
    tables = tables_of(program.arrays, written)
    found: list[Tree] = []
    for number, node in enumerate(program.body):
        asked = tuple(directives.of(loop) for loop in all_loops((node,)))

        def made(node: Node = node) -> tuple[Tree, ...]:
            return structured((node,), real, directives, rules, lambda statement: folded(statement, tables))

        found += known.trees.of((number, asked), made)
    return tuple(found)


def _walked(
    kernel: Kernel, nodes: Sequence[Tree], around: tuple[Loop | Condition, ...], outer: tuple[Loop, ...],
    header: tuple[Loop, ...],
) -> list[Region]:  # fmt: skip
    """Return the regions of a sequence, in program order; a loop of the state machine ends one."""
    found: list[Region] = []
    region = RegionBuilder(kernel, around, outer, header)
    for tree in nodes:
        if isinstance(tree, Serial):
            found.append(region.close())
            found += _inside(kernel, tree, outer)
            region = RegionBuilder(kernel, around, outer, header)
        elif isinstance(tree, Pipeline):
            region.call(tree)
        else:
            region.step(tree)
    return [*found, region.close()]


def _inside(kernel: Kernel, tree: Serial, outer: tuple[Loop, ...]) -> list[Region]:
    """Return the regions of a loop of the state machine; those of outermost loops are looked up."""

    def regions() -> list[Region]:
        return _walked(kernel, tree.body, (*tree.around, *tree.loops), (*outer, *tree.loops), tree.loops)

    if outer:
        return regions()
    statements = LoopProgram(name="", arrays=(), body=tree.loops[:1]).statements()
    arrays = {access.array for each in statements for access in (*each.reads, *each.writes)}
    partitions = tuple((name, kernel.partitions[name]) for name in sorted(arrays & kernel.partitions.keys()))
    return kernel.known.regions.of((id(tree), partitions), lambda: (tree, regions()))[1]
