"""The finite-state machine of a kernel, which runs its straight-line code and starts its pipelined loops (R5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.rules import Rules
from ppnsim.hls.schedule.context import EXTRACTED, KernelContext, Known
from ppnsim.hls.schedule.lone import Stateless, machine_of_one
from ppnsim.hls.schedule.model import ScheduledRegion, StateMachine
from ppnsim.hls.schedule.partitioned import registers_of, with_inferred
from ppnsim.hls.schedule.private_registers import readers_of
from ppnsim.hls.schedule.regions import RegionBuilder
from ppnsim.hls.schedule.unread_copies import without_overwritten
from ppnsim.hls.structure.aggregates import kept_together
from ppnsim.hls.structure.aliases import is_fixed
from ppnsim.hls.structure.always_counted import always_run
from ppnsim.hls.structure.decisions import trees_of
from ppnsim.hls.structure.element_runs import overwritten, requested, stays, sum_of
from ppnsim.hls.structure.flat import pipelined_functions
from ppnsim.hls.structure.initial import with_fills
from ppnsim.hls.structure.manual_bursts import ManualBursts
from ppnsim.hls.structure.many_ports import with_copied_tables
from ppnsim.hls.structure.rewound import rewinding, rewound
from ppnsim.hls.structure.shared_functions import as_modules
from ppnsim.hls.structure.small import in_tables, of_many_words
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree, statements_of
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Access, Loop, LoopProgram
from ppnsim.loops.work import STRUCTURED, spend

RECENT = "2023.2"
"""The first release for which the rules of R9 hold that change the structure of loops and trees."""
BY_INTERFACE = "2022.1"
"""The first release that was seen to report that it ignores a directive for the memory of an argument (R9.5)."""
PIPELINES = "2020.1"
"""The first release that pipelines loops without a directive (R1.6)."""
SUMS = "2020.2"
"""The release with sums of `float` of interval 1 (R4.9)."""


def state_machine(
    program: LoopProgram, library: Library, directives: Directives, rules: Rules, known: Known, *,
    inferred_already: bool = False,
) -> StateMachine:  # fmt: skip
    """Return the schedule of a kernel without a dataflow region, or of one task of a region.

    A kernel that is one pipelined loop has no state machine around the loop (R1.5), unless it needs states there:
    elements that are loaded once before the loop need one, and responses of a bus do (R6.9).
    """
    rules = of_release(rules, library)
    program, directives, tree = structured(program, directives, rules, known)
    written = frozenset(access.array for statement in program.statements() for access in statement.writes)
    if rules.infer and not inferred_already:
        tables = with_copied_tables(program.arrays, written, directives.partitions, directives.storage)
        directives = replace(directives, storage={**directives.storage, **tables})
        directives = with_inferred(program, directives, tree, rules)
    registers = registers_of(program, directives, tree, rules)
    release = rules.release or library.device.timing.tool
    free = Stateless(numbers=rules.recent or release >= EXTRACTED, results=release >= EXTRACTED)
    first = replace(free, numbers=True)  # R5.26: the pipeline has start values of its registers on every device
    tree = rewound(with_fills(program, tree, registers), program.frames, first.before, free.behind)
    free = first if rewinding(tree) is not None else free
    arrays = {array.name: array for array in program.arrays}
    # R9.5: the tool ignores a directive for the memory of an argument; the argument's interface may choose the memory.
    kept = {name: each for name, each in directives.storage.items() if not (each.hint and release >= BY_INTERFACE)}
    storage = {**kept, **registers}
    storage |= of_many_words(program.arrays, directives.partitions, storage) if not rules.vitis else {}
    kernel = KernelContext(
        library, arrays, directives.partitions, written, rules, storage, directives.bound, directives.limits, known,
        directives.timings, directives.inlined(program.frames), directives.control,
        directives.hands, directives.axes, readers_of(program),
        together := kept_together(directives.aggregates, rules.release, registers),
        small=in_tables(program.arrays, directives.partitions, storage, together, written, rules),
        modules=directives.modules,
    )  # fmt: skip
    if (machine := machine_of_one(kernel, tree, free)) is not None:
        return replace(machine, registers=frozenset(registers))
    regions = _walked(kernel, tree, (), (), ())
    nests = tuple(nest for region in regions for nest in region.nests)
    cycles = max(0, sum(region.cycles for region in regions) - 1)  # a kernel whose loops never run has 0 cycles
    return StateMachine(cycles, nests, tuple(regions), tree, frozenset(registers))


def of_release(rules: Rules, library: Library) -> Rules:
    """Return the rules with the rules of R9 switched on if they hold for the release of the device's table."""
    tool = library.device.timing.tool
    joins = (rules.release or tool) >= RECENT
    recent = joins or tool >= RECENT
    return replace(rules, recent=recent, joins=joins, sums=not recent and rules.release == SUMS)


def structured(
    program: LoopProgram, directives: Directives, rules: Rules, known: Known
) -> tuple[LoopProgram, Directives, tuple[Tree, ...]]:
    """Return the program with its pipelined functions inlined, its directives, and the trees of its loops."""
    spend(STRUCTURED * len(program.statements()))
    program, directives = pipelined_functions(program, directives)
    trees = trees_of(program, directives, rules, known.trees, known.whole)
    trees = without_overwritten(always_run(trees) if rules.count == "most" else trees, program)
    return program, directives, as_modules(trees, program.frames, directives.inlined(program.frames), rules.count)


def _walked(
    kernel: KernelContext, nodes: Sequence[Tree], around: tuple[Loop | Condition, ...], outer: tuple[Loop, ...],
    header: tuple[Loop, ...], changed: frozenset[str] = frozenset(),
) -> list[ScheduledRegion]:  # fmt: skip
    """Return the regions of a sequence of trees, in program order; a loop of the state machine ends a region."""
    found: list[ScheduledRegion] = []
    region, bursts = RegionBuilder(kernel, around, outer, header, changed), ManualBursts(kernel.storage, kernel.arrays)
    for tree, follows in zip(nodes, (*nodes, None)[1:], strict=True):
        words, before, behind = bursts.pass_(tree) if kernel.rules.responses else ({}, 0, 0)
        if isinstance(tree, Serial):
            if not outer and (lasting := kernel.lasting):
                region.load(_fixed_loads(tree, lasting))
            # The port requests these elements as one run, too (R12.2).
            whole = (kernel.rules.release or kernel.library.device.timing.tool) >= EXTRACTED
            responses, buses = kernel.rules.responses, kernel.storage
            runs, states, answer = requested(tree, buses, kernel.arrays, whole=whole) if responses else ({}, 0, 0)
            runs = {**runs, **words}
            region.ask(max(states, before))
            steady = stays(tree, buses, kernel.arrays, kernel.written) if responses and whole else ()
            stay = frozenset(steady) - kernel.stay
            lost = overwritten(tree, follows, buses, kernel.arrays) if whole else None
            region.load([*sorted(stay, key=str), *((lost,) if lost is not None else ())])
            found.append(region.close())
            inside = replace(kernel, storage={**buses, **runs}, stay=kernel.stay | stay) if runs or stay else kernel
            if (summed := lost or (sum_of(tree, region.steps[-1:], kernel.arrays) if whole else None)) is not None:
                inside = replace(inside, summed=summed)
            found += _inside(inside, tree, outer)
            region = RegionBuilder(kernel, around, outer, header, changed, lost)
            region.ask(max(behind, answer))
        elif isinstance(tree, Pipeline):
            region.kernel = replace(kernel, storage={**kernel.storage, **words}) if words else kernel
            region.call(tree)
            region.kernel = kernel
        else:
            region.step(tree)
    return [*found, region.close()]


def _fixed_loads(tree: Serial, lasting: frozenset[str]) -> Iterator[Access]:
    """Yield the elements at fixed places that a loop loads from memories that the kernel never changes (R9.24)."""
    reads = (access for statement in statements_of(tree.body) for access in statement.reads)
    return (each for each in dict.fromkeys(reads) if each.array in lasting and is_fixed(each))


def _inside(kernel: KernelContext, tree: Serial, outer: tuple[Loop, ...]) -> list[ScheduledRegion]:
    """Return the regions of a loop of the state machine; those of an outermost loop may come from another schedule."""

    def regions() -> list[ScheduledRegion]:
        changed = frozenset(access.array for each in statements_of(tree.body) for access in each.writes)
        return _walked(kernel, tree.body, (*tree.around, *tree.loops), (*outer, *tree.loops), tree.loops, changed)

    if outer:
        return regions()
    statements = LoopProgram(name="", arrays=(), body=tree.loops[:1]).statements()
    arrays = {access.array for each in statements for access in (*each.reads, *each.writes)}
    partitions = tuple((name, kernel.partitions[name]) for name in sorted(arrays & kernel.partitions.keys()))
    return kernel.known.regions.of((id(tree), partitions), lambda: (tree, regions()))[1]
