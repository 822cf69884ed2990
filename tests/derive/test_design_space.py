"""The explored designs: timed as the rewritten programs are, and the walk among them."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from ppnsim.c.load import load_programs
from ppnsim.derive.derive import with_streams
from ppnsim.derive.designs.execution_graph import ExecutionGraph
from ppnsim.derive.designs.exhaustive import Exhaustive
from ppnsim.derive.designs.pictures import design_space
from ppnsim.derive.designs.space import DesignSpace, Point
from ppnsim.derive.designs.walk import DesignWalk
from ppnsim.derive.estimate.estimate import ProgramEstimate, estimate_program
from ppnsim.errors import InputError
from ppnsim.library.rewriting import rewritten
from ppnsim.loops.dependences import firings, folded
from ppnsim.loops.program import LoopProgram
from tests.helpers.loop_programs import at, do, kernel, loop, loop_programs, predictor

KERNELS = Path(__file__).parents[2] / "scenarios" / "kernels"


def atax_space(**options: object) -> DesignSpace:
    """The thesis's atax with its streams; `y` clears, `y_2` is the recurrence."""
    (program,) = load_programs(str(KERNELS / "atax_thesis.c"))
    return DesignSpace(with_streams(program), latency=3, **options)  # type: ignore[arg-type]


def walked(space: DesignSpace, target: int | None = None) -> DesignWalk:
    walk = DesignWalk(space=space, target=target)
    walk.run()
    return walk


def estimate_of(space: DesignSpace, point: Point, latency: int = 3) -> ProgramEstimate:
    """The estimate of the program that the options of a point really make."""
    options = space.options(point)
    pairs = list(zip(options[::2], options[1::2], strict=True))
    steps = [(name.removeprefix("--"), value) for name, value in pairs]
    program, _ = rewritten(space.program, steps, io=False)
    return estimate_program(program, latency=latency)


def processes_of(estimate: ProgramEstimate) -> int:
    return sum(1 for each in estimate.statements if each.executions)


def runs(program: LoopProgram) -> bool:
    """Whether anything of a random program executes that is a process."""
    gone = folded(program)
    return any(count for name, count in firings(program).items() if name not in gone)


def in_bounds(program: LoopProgram) -> bool:
    try:
        estimate_program(program)
    except InputError:
        return False
    return True


# -- timing -----------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(data=st.data(), program=loop_programs().filter(lambda p: runs(p) and in_bounds(p)))
def test_every_design_is_timed_exactly_as_the_rewritten_program(data: st.DataObject, program: LoopProgram) -> None:
    latency = data.draw(st.integers(0, 4))
    space = DesignSpace(program, latency=latency, ii=data.draw(st.sampled_from([1, 1, 7])))
    ii = space.graph.statements[0].ii
    choices = [data.draw(st.sampled_from(list(splitter.all_choices()))) for splitter in space.splitters]
    point = space.point(tuple(choices))
    options = space.options(point)
    pairs = list(zip(options[::2], options[1::2], strict=True))
    steps = [(name.removeprefix("--"), value) for name, value in pairs]
    estimate = estimate_program(rewritten(program, steps, io=False)[0], latency=latency, ii=ii)
    assert (point.finish, point.processes) == (estimate.absolute.finish, processes_of(estimate))
    assert space.maximum(point) == estimate.absolute.maximum
    assert space.unbounded.finish == estimate.unbounded.finish


@settings(max_examples=60, deadline=None)
@given(program=loop_programs().filter(lambda p: runs(p) and in_bounds(p)))
def test_what_is_not_tried_would_gain_nothing(program: LoopProgram) -> None:
    space = DesignSpace(program, latency=2)
    closed = [k for k, each in enumerate(space.statements) if each.reason]
    for k in closed:
        for choice in space.splitters[k].all_choices():
            design = tuple(choice if m == k else () for m in range(len(space.statements)))
            assert space.point(design).finish == space.start.finish


@settings(max_examples=40, deadline=None)
@given(program=loop_programs().filter(lambda p: runs(p) and in_bounds(p)))
def test_nothing_helps_but_splitting_what_holds_the_longest_path(program: LoopProgram) -> None:
    graph = ExecutionGraph.of(program)
    space = DesignSpace(program)
    held_by = space.held_by(space.start)
    process, count = space.process(space.start.design)
    for k, each in enumerate(graph.statements):
        if k not in held_by:
            process[each.places] = count + each.places  # a process of its own for each execution
    assert graph.starts(process)[1] == space.start.finish


# -- the thesis's programs ---------------------------------------------------------------------------------------------


def test_atax_by_rule_gives_the_figures_of_the_thesis() -> None:
    space = atax_space(keep=["in_A", "out_y"])
    walk = walked(space)
    # Recomputed from the thesis: finish, processes, most at once.
    for rule, figures in (
        ("innermost loops unfolded", (1198, 130, 66)),
        ("innermost loops cut in two", (2562, 10, 16)),
    ):
        point = walk.by_rule[rule]
        assert (point.finish, point.processes, space.maximum(point)) == figures
        estimate = estimate_of(space, point)
        assert (estimate.absolute.finish, processes_of(estimate), estimate.absolute.maximum) == figures


def test_the_walk_on_atax_needs_a_tenth_of_the_processes_and_what_it_says_is_so() -> None:
    space = atax_space(keep=["in_A", "out_y"])
    walk = walked(space)
    assert [walk.steps[0].finish, walk.steps[-1].finish] == [5042, 1198]
    assert walk.steps[-1].processes <= 13
    assert walk.steps[-1].finish == space.bound.finish
    for point in (*walk.steps, *space.front()):
        estimate = estimate_of(space, point)
        assert (estimate.absolute.finish, processes_of(estimate)) == (point.finish, point.processes)


def test_with_nothing_kept_atax_reaches_the_unbounded_throughput() -> None:
    space = atax_space()
    walk = walked(space)
    assert (walk.steps[-1].finish, walk.stopped) == (330, "the unbounded throughput is reached")
    assert space.unbounded.processes == 3168


def test_kept_statements_stay_one_process() -> None:
    space = atax_space(keep=["in_A", "tmp"])
    walked(space)
    kept = [k for k, each in enumerate(space.statements) if each.name in ("in_A", "tmp")]
    assert len(kept) == 2
    assert all(point.design[k] == () for point in space.best.values() for k in kept)


def test_unrolling_the_transformer_of_the_predictor_gives_50_cycles() -> None:
    space = DesignSpace(predictor(), latency=3, keep=["source", "sink"])
    transformer = [each.name for each in space.statements].index("transformer")
    # Recomputed from the thesis: inner, outer, or both loops fully unrolled.
    for loops in (["j"], ["i"], ["i", "j"]):
        splitter = space.splitters[transformer]
        choice = splitter.sorted([splitter.split("unfold", iterator, 4) for iterator in loops])
        point = space.point(((), choice, ()))
        assert (point.finish, estimate_of(space, point).absolute.finish) == (50, 50)
    assert space.bound.finish == 50
    assert walked(space).steps[-1].finish == 50


# -- the self-dependence rule ------------------------------------------------------------------------------------------


def test_a_sum_is_not_tried_because_each_execution_needs_the_one_before() -> None:
    add = do("add", reads=(at("s"), at("x", "i")), writes=(at("s"),))
    space = DesignSpace(kernel("sum", {"s": (), "x": (8,)}, loop("i", 0, 7, add)))
    (only,) = space.statements
    assert only.reason == "each execution needs what the one before it made (s, carried by i)"
    assert walked(space).stopped == "the unbounded throughput is reached"


def test_a_self_dependence_does_not_bind_if_the_initiation_interval_is_longer() -> None:
    add = do("add", reads=(at("s"), at("x", "i")), writes=(at("s"),), ii=9)
    space = DesignSpace(kernel("sum", {"s": (), "x": (8,)}, loop("i", 0, 7, add)))
    assert space.statements[0].reason == ""
    assert walked(space).steps[-1].finish == 8 * 3  # read, execute, write, eight times


def test_a_circle_through_another_statement_counts_too() -> None:
    there, back = do("f", reads=(at("b"),), writes=(at("a"),)), do("g", reads=(at("a"),), writes=(at("b"),))
    space = DesignSpace(kernel("circle", {"a": (), "b": ()}, loop("i", 0, 5, there, back)))
    reason = "each execution needs what the one before it made (through other statements)"
    assert [each.reason for each in space.statements] == [reason, reason]


def test_the_default_of_the_thesis_is_to_cut_where_a_statement_reads_its_own() -> None:
    space = atax_space()
    defaults = {each.name: each.default for each in space.statements}
    assert [defaults[name] for name in ("in_x", "y", "tmp", "y_2")] == ["unfold", "unfold", "cut", "cut"]


# -- limits and the exhaustive search ----------------------------------------------------------------------------------


def test_a_split_replaces_the_one_of_its_loop_and_leaves_those_of_others() -> None:
    for splits in atax_space().splitters:
        loops = list(dict.fromkeys(iterator for _, iterator in splits.trips))
        if len(loops) > 1:
            first, second = (next(m for m, i in splits.trips if i == loop) for loop in loops[:2])
            outer, inner = splits.split(first, loops[0], 2), splits.split(second, loops[1], 2)
            finer = splits.split(first, loops[0], 4)
            assert set(splits.with_split((outer, inner), finer)) == {finer, inner}
            break
    else:
        pytest.fail("no statement has two loops to split")


def test_the_walk_stops_at_its_target_and_drops_what_that_does_not_need() -> None:
    walk = walked(atax_space(keep=["in_A", "out_y"]), target=2600)
    assert walk.stopped == "the target of 2600 cycles is reached"
    assert (walk.steps[-1].finish, walk.steps[-1].processes) == (2562, 7)


def test_no_design_has_more_processes_than_allowed() -> None:
    space = atax_space(max_processes=9)
    walk = walked(space)
    assert max(space.best) <= 9
    assert max(point.processes for point in (*walk.steps, *walk.by_rule.values())) <= 9
    assert walk.stopped == "no further split helps within 9 processes"


def test_the_front_of_all_designs_is_never_behind_the_walk() -> None:
    program = predictor()
    walk = walked(DesignSpace(program, latency=3))
    space = DesignSpace(program, latency=3)
    everything = Exhaustive(space=space)
    everything.run()
    assert everything.looked_at == everything.designs == 36 * 16 * 16
    best = {point.processes: point.finish for point in space.front()}
    for step in walk.steps:
        assert min(finish for processes, finish in best.items() if processes <= step.processes) <= step.finish
    worst = everything.worst([Point(design=(), processes=4, finish=106), *walk.steps])
    assert (worst.best.finish, worst.share) == (53, 1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"keep": ["in_AA"]}, "kernel_atax_thesis: no statement is called 'in_AA' (did you mean 'in_A'?)"),
        ({"max_processes": 5}, "kernel_atax_thesis: at most 5 processes are allowed, but it has 6 as it is"),
    ],
)
def test_what_cannot_be_explored_is_told(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as error:
        atax_space(**options)
    assert str(error.value) == message


def test_a_space_too_large_to_be_looked_at_in_full_is_told_before_the_walk() -> None:
    with pytest.raises(InputError, match=r"100000000. designs are too many to look at them all .* --keep"):
        Exhaustive(space=atax_space())


# -- the picture -------------------------------------------------------------------------------------------------------


def test_the_picture_shows_both_ends_and_every_step() -> None:
    figure = design_space(
        "f", start=(2, 90), unbounded=(40, 30), bound=45, walk=[(2, 90), (4, 50), (9, 45)],
        front=[(2, 90), (4, 50), (9, 45)], rules={"all": (12, 47)}, busy=120,
    )  # fmt: skip
    assert isinstance(figure, Figure)
    (axes,) = figure.axes
    words = {text.get_text() for text in axes.texts}
    assert {"absolute throughput: 90 cycles", "unbounded throughput: 30 cycles", "4 p, 50"} <= words
    (walk,) = [line for line in axes.lines if list(line.get_xdata()) == [2, 4, 9]]  # type: ignore[arg-type]
    assert list(walk.get_ydata()) == [90, 50, 45]  # type: ignore[arg-type]
