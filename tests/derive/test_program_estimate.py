"""Estimates of loop programs against a naive interpreter, the network of the same loops, and the thesis's figures."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.analysis import throughput
from ppnsim.derive.estimate.estimate import ProgramEstimate, Throughput, estimate_program
from ppnsim.derive.estimate.walk import activity
from ppnsim.derive.estimate.walk import run as walk_run
from ppnsim.derive.estimate.walk import step as walk_step
from ppnsim.derive.estimate.walk.activity import Activity
from ppnsim.derive.estimate.walk.nest import NestSource
from ppnsim.errors import InputError
from ppnsim.loops.dependences import folded
from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not, Some, holds
from ppnsim.loops.program import Access, Array, Execution, Guard, Loop, LoopProgram, Node, Operation, Statement
from ppnsim.machine_code.kernels import machine_code_of
from ppnsim.model.recorder import Recorder
from tests.helpers.by_seed import by_seed

ROW, COLUMN = Affine.of("i"), Affine.of("j")
ZERO = Operation("constant", "int", text="0")
Location = tuple[str, tuple[int, ...]]


def loop(iterator: str, first: Affine | int, last: Affine | int, *body: Node, step: int = 1) -> Loop:
    bounds = [(each if isinstance(each, Affine) else Affine.of(each),) for each in (first, last)]
    return Loop(iterator=iterator, first=bounds[0], last=bounds[1], step=step, body=body)


def execute(
    name: str, reads: Sequence[Access] = (), writes: Sequence[Access] = (), value: Operation | None = None, **more: int
) -> Execution:
    return Execution(Statement(name=name, reads=tuple(reads), writes=tuple(writes), value=value, **more))  # type: ignore[arg-type]


def atax(n: int) -> LoopProgram:
    """PolyBench's atax: y = A' (A x)."""
    a, y = Access("A", (ROW, COLUMN)), Access("y", (COLUMN,))
    tmp = Access("tmp", (ROW,))
    return LoopProgram(
        name="atax",
        arrays=(
            Array(name="A", shape=(n, n), role="parameter"), Array(name="x", shape=(n,), role="parameter"),
            Array(name="y", shape=(n,), role="parameter"), Array(name="tmp", shape=(n,)),
        ),
        body=(
            loop("i", 0, n - 1, execute("zero", writes=[Access("y", (ROW,))], value=ZERO)),
            loop(
                "i", 0, n - 1,
                execute("clear", writes=[tmp], value=ZERO),
                loop("j", 0, n - 1, execute("inner", [tmp, a, Access("x", (COLUMN,))], [tmp])),
                loop("j", 0, n - 1, execute("outer", [y, a, tmp], [y])),
            ),
        ),
    )  # fmt: skip


def predictor() -> LoopProgram:
    """Thesis, chapter 6: a 5 x 5 source, a 4 x 4 wavefront, a sink that takes its 4 x 4 results."""
    here = Access("a", (ROW, COLUMN))
    around = [Access("a", place) for place in ((ROW, COLUMN - 1), (ROW - 1, COLUMN), (ROW - 1, COLUMN - 1))]
    given_in, out = Access("in", (ROW, COLUMN)), Access("out", (ROW, COLUMN))
    return LoopProgram(
        name="predictor",
        arrays=tuple(
            Array(name=name, shape=(5, 5), role=role)  # type: ignore[arg-type]
            for name, role in (("in", "parameter"), ("a", "local"), ("out", "parameter"))
        ),
        body=(
            loop("i", 0, 4, loop("j", 0, 4, execute("source", [given_in], [here]))),
            loop("i", 1, 4, loop("j", 1, 4, execute("transformer", around, [here]))),
            loop("i", 1, 4, loop("j", 1, 4, execute("sink", [here], [out]))),
        ),
    )


class Naive:
    """Runs a program as it is written: one dictionary of shadow times per estimate, every execute kept."""

    def __init__(self, program: LoopProgram, latency: int, ii: int, io: bool) -> None:
        self.program, self.latency, self.ii = program, latency, ii
        self.folded = folded(program)
        self.executions = list(self.sequence(io))
        self.absolute = self.estimate(own_processes=False)
        self.unbounded = self.estimate(own_processes=True)

    def sequence(self, io: bool) -> Iterator[tuple[Statement, list[Location], list[Location], int, int]]:
        """Yield statement, locations read and written, read and write latency, in program order."""
        kernel = [
            (s, [self.at(a, i) for a in s.reads], [self.at(a, i) for a in s.writes], bool(s.reads), bool(s.writes))
            for s, i in walked(self.program.body, {})
        ]
        early, late = set(), set()
        seen: set[Location] = set()
        for _, reads, writes, _, _ in kernel:
            early |= {array for array, place in reads if (array, place) not in seen}
            seen |= set(writes)
            late |= {array for array, _ in writes}
        for array in self.program.arrays if io else ():
            if array.role == "parameter" and array.shape and array.name in early:
                for place in places(array.shape):
                    yield Statement(name=f"in_{array.name}", ii=1), [], [(array.name, place)], 1, 1
        yield from kernel
        for array in self.program.arrays if io else ():
            if array.role == "parameter" and array.shape and array.name in late:
                for place in places(array.shape):
                    yield Statement(name=f"out_{array.name}", ii=1), [(array.name, place)], [], 1, 1

    def at(self, access: Access, iterators: Mapping[str, int]) -> Location:
        return access.array, tuple(subscript.value(iterators) for subscript in access.subscripts)

    def cycles(self, statement: Statement) -> tuple[int, int]:
        latency = self.latency if statement.latency is None else statement.latency
        return self.ii if statement.ii is None else statement.ii, latency

    def estimate(self, *, own_processes: bool) -> Throughput:
        shadow: dict[Location, int] = {}
        following: dict[str, int] = defaultdict(int)
        changes: Counter[int] = Counter()
        finish = busy = 0
        for statement, reads, writes, read, write in self.executions:
            if statement.name in self.folded:
                shadow.update(dict.fromkeys(writes, 0))
                continue
            ii, latency = self.cycles(statement)
            start = max([0 if own_processes else following[statement.name], *(shadow.get(r, 0) for r in reads)])
            following[statement.name] = start + ii
            changes[start + read] += 1
            changes[start + read + latency] -= 1
            busy += latency
            shadow.update(dict.fromkeys(writes, start + read + latency + 1))
            finish = max(finish, start + read + latency + write)
        active = most = 0
        for _, change in sorted(changes.items()):
            active += change
            most = max(most, active)
        return Throughput(finish=finish, average=busy / finish if finish else 0.0, maximum=most)

    def network(self) -> Any:
        """Return the network of the same executions; a folded write makes a location of its own that nobody wrote."""
        recorder, versions = Recorder(), Counter[Location]()
        declared: set[str] = set()
        for statement, reads, writes, read, write in self.executions:
            if statement.name in self.folded:
                versions.update(writes)
                continue
            if statement.name not in declared:
                ii, latency = self.cycles(statement)
                recorder.statement(statement.name, ii=ii, latency=latency, read=int(read), write=int(write))
                declared.add(statement.name)
            recorder.execute(
                statement.name, reads=[(r, versions[r]) for r in reads], writes=[(w, versions[w]) for w in writes]
            )
        return recorder.network()


def walked(nodes: Sequence[Node], iterators: Mapping[str, int]) -> Iterator[tuple[Statement, Mapping[str, int]]]:
    for node in nodes:
        if isinstance(node, Execution):
            yield node.statement, iterators
        elif isinstance(node, Guard):
            yield from walked(node.body if holds(node.condition, iterators) else node.otherwise, iterators)
        else:
            firsts = [bound.value(iterators) for bound in node.first]
            lasts = [bound.value(iterators) for bound in node.last]
            values = range(max(firsts), min(lasts) + 1, node.step)
            if node.step < 0:
                values = range(min(firsts), max(lasts) - 1, node.step)
            for value in values:
                yield from walked(node.body, {**iterators, node.iterator: value})


def places(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if not shape:
        yield ()
    else:
        yield from ((k, *rest) for k in range(shape[0]) for rest in places(shape[1:]))


@by_seed
def programs(draw: st.DrawFn) -> LoopProgram:
    """Draw nests up to depth 3: guards, triangular and empty loops, negative strides, scalars, arrays in and out."""
    names = iter(f"S{number}" for number in range(100))
    shapes = {"A": (7,), "B": (3, 4), "C": (7,), "s": (), "p": ()}
    roles = {name: draw(st.sampled_from(["parameter", "local"])) for name in shapes}

    def affine(around: Sequence[str]) -> Affine:
        value = Affine.of(draw(st.integers(-2, 3)))
        for name in around:
            value = value + Affine.of(name) * draw(st.sampled_from([0, 0, 1, 1, -1, 2]))
        return value // draw(st.integers(2, 3)) if draw(st.integers(0, 7)) == 0 else value

    def access(around: Sequence[str]) -> Access:
        name = draw(st.sampled_from(list(shapes)))
        return Access(name, tuple(affine(around) % extent for extent in shapes[name]))

    def condition(around: Sequence[str]) -> Condition:
        one = Compare(affine(around), draw(st.sampled_from([">=", "="])))
        other = Compare(affine(around) % 2, "=")
        made: list[Condition] = [one, Not(one), All((one, other)), Some((one, other)), All(), Some()]
        return draw(st.sampled_from(made))

    def statement(around: Sequence[str]) -> Execution:
        reads = [access(around) for _ in range(draw(st.integers(0, 3)))]
        writes = [access(around) for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2])))]
        own = {key: draw(st.integers(1, 4)) for key in ("ii", "latency") if draw(st.integers(0, 4)) == 0}
        return execute(next(names), reads, writes, draw(st.sampled_from([None, ZERO])), **own)

    def nest(around: tuple[str, ...]) -> Loop:
        name, step = "ijk"[len(around)], draw(st.sampled_from([1, 1, 1, 2, -1, -2]))
        ends = [tuple(affine(around[-1:]) + k for _ in range(draw(st.integers(1, 2)))) for k in (0, 2)]
        first, last = ends if step > 0 else ends[::-1]
        return Loop(iterator=name, first=first, last=last, step=step, body=body((*around, name)))

    def body(around: tuple[str, ...]) -> tuple[Node, ...]:
        nodes: list[Node] = []
        for _ in range(draw(st.integers(1, 3))):
            kind = draw(st.sampled_from(["statement", "statement", "guard", "loop", "loop"]))
            if kind == "guard":
                nodes.append(
                    Guard(
                        condition(around), (statement(around),), draw(st.sampled_from([(), (1,)])) and body_of(around)
                    )
                )
            elif kind == "loop" and len(around) < 3:
                nodes.append(nest(around))
            else:
                nodes.append(statement(around))
        return tuple(nodes)

    def body_of(around: tuple[str, ...]) -> tuple[Node, ...]:
        return (nest(around) if len(around) < 2 else statement(around),)

    arrays = tuple(Array(name=name, shape=shape, role=roles[name]) for name, shape in shapes.items())  # type: ignore[arg-type]
    return LoopProgram(name="drawn", arrays=arrays, body=(nest(()), *body(())))


def as_plain_python(source: str, function: str) -> Callable[..., int]:
    """Stand in for `machine_code_of`: the text that is compiled, run by Python."""
    scope: dict[str, Callable[..., int]] = {}
    exec(source, scope)
    return scope[function]


def naive_or_none(program: LoopProgram, latency: int, ii: int, io: bool) -> Naive | None:
    naive = Naive(program, latency, ii, io)
    return naive if any(each[0].name not in naive.folded for each in naive.executions) else None


@pytest.fixture(autouse=True, scope="module")
def kernels_of_these_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@settings(max_examples=50, deadline=None)
@given(programs(), st.integers(0, 5), st.integers(1, 3), st.booleans())
def test_a_program_finishes_when_a_naive_interpreter_does(p: LoopProgram, latency: int, ii: int, io: bool) -> None:
    naive = naive_or_none(p, latency, ii, io)
    if naive is None:
        with pytest.raises(InputError, match="no statement is executed"):
            estimate_program(p, latency=latency, ii=ii, io=io)
        return
    estimate = estimate_program(p, latency=latency, ii=ii, io=io)
    assert estimate.absolute == naive.absolute
    assert estimate.unbounded == naive.unbounded
    counts = Counter(each[0].name for each in naive.executions if each[0].name not in naive.folded)
    assert {each.name: each.executions for each in estimate.statements if each.executions} == counts


@settings(max_examples=40, deadline=None)
@given(programs(), st.integers(0, 3), st.booleans(), st.integers(100, 130))
def test_stopping_anywhere_changes_nothing(p: LoopProgram, latency: int, io: bool, budget: int) -> None:
    naive = naive_or_none(p, latency, 1, io)
    if naive is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk_run, "machine_code_of", as_plain_python)
        patch.setattr(walk_run, "IN_PYTHON", 3)
        patch.setattr(walk_run, "_BUDGET", budget // 10)
        for module in (activity, walk_step):
            patch.setattr(module, "FULL", dict.fromkeys(activity.FULL, 2))
        patch.setattr(walk_step, "SPILL_COST", 1)
        patch.setattr(walk_run, "SPILL_COST", 1)
        estimate = estimate_program(p, latency=latency, io=io)
    assert (estimate.absolute, estimate.unbounded) == (naive.absolute, naive.unbounded)


@settings(max_examples=30, deadline=None)
@given(programs(), st.integers(1, 4), st.integers(1, 2), st.booleans())
def test_program_and_network_are_estimated_alike(p: LoopProgram, latency: int, ii: int, io: bool) -> None:
    naive = naive_or_none(p, latency, ii, io)
    if naive is None:
        return
    network, estimate = naive.network(), estimate_program(p, latency=latency, ii=ii, io=io)
    assert as_network_estimate(estimate.absolute) == figures(throughput.absolute(network))
    assert as_network_estimate(estimate.unbounded) == figures(throughput.unbounded(network))


def as_network_estimate(one: Throughput) -> tuple[int | None, float | None, int | None]:
    return one.finish, one.average, one.maximum


def figures(estimate: throughput.Estimate) -> tuple[int | None, float | None, int | None]:
    return estimate.finish, estimate.parallelism.average, estimate.parallelism.maximum


def both(estimate: ProgramEstimate) -> list[tuple[int, int | None]]:
    return [(one.finish, one.maximum) for one in (estimate.absolute, estimate.unbounded)]


def test_atax_has_the_figures_of_the_thesis() -> None:
    estimate = estimate_program(atax(32), latency=3, io=True)
    assert both(estimate) == [(5042, 10), (330, 1088)]
    assert estimate.absolute.average == 9504 / 5042
    assert estimate.unbounded.average == 28.8
    assert estimate.executions == 3168
    assert estimate.folded == ("clear",)


def test_the_predictor_has_the_figures_of_the_thesis() -> None:
    estimate = estimate_program(predictor(), latency=3)
    assert both(estimate) == [(83, 5), (45, 25)]
    assert estimate.absolute.average == 171 / 83
    assert estimate.unbounded.average == 3.8
    source, transformer, sink = estimate.statements
    # Thesis, tables 6.1 and 6.2, in ns.
    assert [each.utilisation for each in (source, transformer, sink)] == [1.0, 16 / 64, 16 / 64]


def test_a_compiled_walk_gives_what_python_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    python = estimate_program(atax(40), latency=3, io=True)
    monkeypatch.setattr(walk_run, "IN_PYTHON", 100)
    assert estimate_program(atax(40), latency=3, io=True) == python


def test_overflowing_counts_are_kept() -> None:
    program = LoopProgram(name="wide", arrays=(), body=(loop("i", 0, 299_999, execute("one")),))
    estimate = estimate_program(program, latency=5)
    assert both(estimate) == [(300_004, 5), (5, 300_000)]


def test_what_cannot_be_counted_is_none_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    s = Access("s")
    program = LoopProgram(name="slow", arrays=(Array(name="s"),), body=(loop("i", 0, 2999, execute("one", [s], [s])),))
    assert both(estimate_program(program, latency=10**9)) == [(3000 * (10**9 + 2), 1)] * 2
    monkeypatch.setattr(walk_run, "machine_code_of", as_plain_python)
    monkeypatch.setattr(walk_run, "IN_PYTHON", 100)
    estimate = estimate_program(program, latency=10**9)
    assert both(estimate) == [(3000 * (10**9 + 2), None)] * 2
    assert estimate.absolute.reason == "executes are counted over 536870912 cycles at most, the finish is beyond that"


def test_a_finish_beyond_what_a_float_holds_is_exact() -> None:
    s = Access("s")
    body = (loop("i", 0, 10_000, execute("one", [s], [s])),)
    program = LoopProgram(name="long", arrays=(Array(name="s"),), body=body)
    finish = both(estimate_program(program, latency=2**40 - 1))[0][0]
    assert finish == 10_001 * (2**40 + 1) > 2**53


@pytest.mark.parametrize(
    ("cycles", "bits"),
    [(1, 20), (2**20, 20), (2**20 + 1, 23), (2**23, 23), (2**23 + 1, 26), (2**28, 29), (2**40, 29)],
)
def test_activity_makes_room_in_steps_of_eight_up_to_the_largest(cycles: int, bits: int) -> None:
    counted = Activity(activity.ABSOLUTE)
    counted.grow(cycles, 0)
    assert len(counted.dense) == 2**bits
    counted.grow(1, 0)
    assert len(counted.dense) == 2**bits  # it never shrinks


def test_activity_counts_across_blocks_and_table() -> None:
    counted = Activity(activity.UNBOUNDED)
    counted.grow(2**20, 0)
    counted.dense[[5, 200_000]] = [3, -3]
    counted.table.update({150_000: 7, 150_001: -7})
    assert counted.maximum(200_001) == 10


def test_loops_know_their_trip_counts() -> None:
    body = loop("i", 0, 9, loop("j", ROW, 7, execute("one"), step=3))
    (one,) = estimate_program(LoopProgram(name="triangle", arrays=(), body=(body,))).statements
    outer, inner = one.loops
    assert (outer.iterator, outer.first, outer.last, outer.entries, outer.iterations) == ("i", "0", "9", 1, 10)
    assert (inner.first, inner.step, inner.entries, inner.iterations, inner.fewest, inner.most) == (
        "i",
        3,
        10,
        15,
        0,
        3,
    )


def test_latency_comes_from_the_statement_then_its_name_then_its_function_then_the_rest() -> None:
    statements = [
        Statement(name="own", function="f", latency=9), Statement(name="named", function="f"),
        Statement(name="called", function="f"), Statement(name="rest"),
    ]  # fmt: skip
    program = LoopProgram(name="latencies", arrays=(), body=tuple(Execution(each) for each in statements))
    estimate = estimate_program(program, latency={"named": 5, "f": 4, "*": 3, "own": 1})
    assert [each.latency for each in estimate.statements] == [9, 5, 4, 3]


def test_both_ways_to_count_an_execution_write_down_the_same() -> None:
    """By function and by text: two executions of a statement at n = 1, each with its cycles, begin first."""
    lines = walk_step._step(
        ["run", "state", "low_a", "spill", "low_u", "spill", "n", "a", "u", *["begin", "end", "ii", "st"]]
    )
    found = []
    for way in ("function", "text"):
        run, state, low_a, low_u = [9, 9, 0, 3], [0] * 5, [0] * 12, [0] * 12
        for a, u in ((4, 1), (2, 2)):
            if way == "function":
                assert walk_step.step(run, state, low_a, None, low_u, None, 1, a, u, 1, 5, 2, 6) == 0
            else:
                names = {"n": 1, "a": a, "u": u, "begin": 1, "end": 5, "ii": 2, "st": 6, "spill": [0], "left": 99}
                exec("\n".join(lines), names | {"run": run, "state": state, "low_a": low_a, "low_u": low_u})
        found.append((run, state, low_a, low_u))
    assert found[0] == found[1]
    run, state, low_a, low_u = found[0]
    assert run == [9, 9, 4, 8]  # the latest start, absolute; the latest end, unbounded
    assert state == [0, 4, 2, 4, 0]  # the next start, executions, the first start
    assert low_a == [0, 0, 0, 1, 0, 1, 0, -1, 0, -1, 0, 0]
    assert low_u == [0, 0, 1, 1, 0, 0, -1, -1, 0, 0, 0, 0]


def test_progress_is_told_between_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(walk_run, "machine_code_of", as_plain_python)
    monkeypatch.setattr(walk_run, "IN_PYTHON", 20)
    monkeypatch.setattr(walk_run, "_BUDGET", 100)
    estimate_program(atax(20), progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert {total for _, total in told} == {40}
    # 100 of the budget are 100 / 41 iterations of the second loop, after the 20 of the first one.
    assert [done for done, _ in told] == [23, 26, 28, 31, 33, 35, 38]


def refused(program: LoopProgram, **options: Any) -> str:
    with pytest.raises(InputError) as error:
        estimate_program(program, **options)
    return str(error.value)


def test_a_subscript_outside_its_array_is_named_with_its_iterators() -> None:
    array = Array(name="a", shape=(5, 4))
    body = loop("i", 0, 3, loop("j", 0, ROW + 1, execute("S", writes=[Access("a", (ROW, COLUMN))])))
    program = LoopProgram(name="bad", arrays=(array,), body=(body,))
    assert refused(program) == "statement 'S': 'a[i][j]' is outside 'a[5][4]' at i = 3, j = 4"


def test_numbers_out_of_range_are_refused() -> None:
    program = LoopProgram(name="one", arrays=(), body=(execute("S"),))
    assert refused(program, latency=-1) == "statement 'S': latency = -1 is not in 0 .. 2**40"
    assert refused(program, latency=2**40 + 1) == f"statement 'S': latency = {2**40 + 1} is not in 0 .. 2**40"
    assert refused(program, ii=2**40 + 1) == f"statement 'S': ii = {2**40 + 1} is not in 0 .. 2**40"
    assert estimate_program(program, latency=2**40, ii=2**40).absolute.finish == 2**40
    assert refused(LoopProgram(name="k", arrays=(), body=(loop("i", 0, 2**62, execute("S")),))).startswith(str(2**62))
    assert refused(LoopProgram(name="none", arrays=(), body=(loop("i", 0, -1, execute("S")),))) == (
        "none: no statement is executed, so there is nothing to estimate"
    )


def test_kernels_are_written_where_there_is_room(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert machine_code_of("def one(): return 1", "one")() == 1
    assert len(list(tmp_path.glob("ppnsim/kernels/*.o"))) == 1
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert machine_code_of("def two(): return 2", "two")() == 2


def test_numbers_of_a_program_are_below_2_to_the_62() -> None:
    source = NestSource(arrays={}, statement=lambda _: [])
    assert [source.number(value) for value in (2**62 - 1, 1 - 2**62)] == ["c0", "c1"]
    for value in (2**62, -(2**62)):
        with pytest.raises(InputError) as error:
            source.number(value)
        assert str(error.value) == f"{value} is too large a number for an estimate (64 bits)"
    assert source.consts == [2**62 - 1, 1 - 2**62]
