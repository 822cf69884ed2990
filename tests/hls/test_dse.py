"""Exploration of directives: Algorithm 1's steps, partitions, all designs, balanced sums, designs kept in a file."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import ppnsim
from ppnsim.c.load import load_kernels
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.formats.shipped import shipped
from ppnsim.hls.dse import loops as hls_loops
from ppnsim.hls.dse.designs import RULES, Designs
from ppnsim.hls.dse.exhaustive import all_designs, designs_in, front
from ppnsim.hls.dse.partitions import partitions_of
from ppnsim.hls.dse.rows import DesignRows, code_of_schedules
from ppnsim.hls.dse.walk import Exploration, explore_directives
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import Library, load_library
from ppnsim.hls.pragmas.directives import Directives, LoopDirective, Scope
from ppnsim.hls.resources import resources
from ppnsim.hls.rules import TOOL
from ppnsim.hls.schedule.context import Known
from ppnsim.loops.program import LoopProgram

KERNELS = {each.name: str(each.path) for each in shipped()["kernel"]}
LIBRARY = load_library("xc7vx690t", 10)


def kernel(name: str, **sizes: int) -> LoopProgram:
    return load_kernels(KERNELS[name], defines={key: str(value) for key, value in sizes.items()}).programs[0]


def written(folder: Path, source: str) -> LoopProgram:
    path = folder / "k.c"
    path.write_text(source, encoding="utf-8")
    return load_kernels(str(path)).programs[0]


def with_dsp(count: int) -> Library:
    return replace(LIBRARY, device=replace(LIBRARY.device, dsp=count))


def asked(found: Exploration) -> list[tuple[dict[Scope, int], int]]:
    return [(dict(step.design.levels), step.design.cycles) for step in found.steps]


def test_exploration_pipelines_first_then_unrolls_by_divisors() -> None:
    found = explore_directives(Designs(kernel("gesummv.c", N=6), LIBRARY))
    words = [step.what for step in found.steps if "arrays" not in step.what]
    inner = words[1].removesuffix(" pipelined")
    assert words[0] == "no directives"
    assert words[1:5] == [f"{inner} pipelined", *(f"{inner} unrolled by {factor}" for factor in (2, 3, 6))]
    assert found.best.cycles < found.plain.cycles


def test_exploration_steps_back_when_the_device_is_full() -> None:
    found = explore_directives(Designs(kernel("gesummv.c", N=6), with_dsp(60)))
    assert any(step.what.startswith("back: ") for step in found.steps)
    assert found.final.fits and found.best.fits
    assert all(step.design.fits for step in found.steps if step.what.startswith("back: "))


def test_a_kernel_that_does_not_fit_at_all_says_what_is_short() -> None:
    with pytest.raises(InputError, match=r"not even the design without directives fits xc7vx690t: it takes \d+ % of"):
        explore_directives(Designs(kernel("gesummv.c", N=6), with_dsp(1)))


@pytest.mark.parametrize("heavy", [0, 1])
def test_the_loop_of_most_cycles_comes_first_until_it_is_the_bottleneck_no_more(heavy: int, tmp_path: Path) -> None:
    sizes = (256, 16) if heavy == 0 else (16, 256)
    loops = "".join(f"for (int i = 0; i < {n}; i++)\na{k}[i] = a{k}[i] * 3 + 1;\n" for k, n in enumerate(sizes))
    program = written(tmp_path, f"void k(int a0[{sizes[0]}], int a1[{sizes[1]}]) {{\n{loops}}}\n")
    designs = Designs(program, LIBRARY)
    first = list(designs.loops)[heavy]
    for step in explore_directives(designs).steps:
        other = next(key for key in designs.loops if key != first)
        if step.design.levels.get(other):
            break
        assert step.design.loops[first] > 0
        last = step.design
    assert last.loops[first] <= last.loops[other] and last.levels[first] > 1


def test_cycles_of_loops_beside_one_another_add_up_to_the_kernel() -> None:
    designs = Designs(kernel("atax.c", M=4, N=6), LIBRARY)
    clear, outer, *inner = designs.loops
    for levels in ({}, dict.fromkeys(inner, 1)):
        found = designs.at(levels, {})
        assert found.loops[outer] > sum(found.loops[key] for key in inner) > 0
        assert 0 <= found.cycles - found.loops[clear] - found.loops[outer] <= 3  # the states around them


def test_what_is_known_of_other_designs_changes_none() -> None:
    program = kernel("atax.c", M=4, N=6)
    designs = Designs(program, LIBRARY)
    for step in explore_directives(designs).steps:
        directives = designs.directives(step.design.levels, step.design.partitions)
        alone = schedule_kernel(program, LIBRARY, directives, RULES, known=Known())
        assert alone.cycles == step.design.cycles
        area = resources(alone, program, LIBRARY, directives, RULES)
        assert area.dsp / LIBRARY.device.dsp == step.design.area["dsp"]


def test_no_design_of_the_space_dominates_the_front() -> None:
    designs = Designs(kernel("mvt.c", N=4), LIBRARY)
    tried = all_designs(designs)
    best = front(tried.designs)
    assert tried.complete and tried.optimum is not None
    assert len(tried.designs) == len({tuple(sorted(each.levels.items())) for each in tried.designs})
    assert not any(
        (a.cycles <= b.cycles and a.share < b.share) or (a.cycles < b.cycles and a.share <= b.share)
        for a, b in product(tried.designs, best)
    )
    assert min(each.cycles for each in tried.designs) <= explore_directives(designs).best.cycles


@pytest.mark.parametrize("name", ["atax.c", "bicg.c", "mvt.c"])
def test_all_designs_are_counted_without_trying_them(name: str) -> None:
    designs = Designs(kernel(name, N=2, M=2), LIBRARY)
    steps: list[int] = []
    all_designs(designs, progress=lambda done, _: steps.append(done))
    assert designs_in(designs, most=10_000) == steps[-1]


def test_loops_are_touched_where_all_inside_is_unrolled() -> None:
    designs = Designs(kernel("gesummv.c", N=2), LIBRARY)
    outer, inner = designs.loops
    levels = {tuple(sorted(each.levels.items())) for each in all_designs(designs).designs}
    assert ((outer, 1), (inner, 2)) in levels and ((inner, 1),) in levels
    assert ((outer, 1), (inner, 1)) not in levels and ((outer, 1),) not in levels


def test_a_space_of_any_size_is_refused_at_once() -> None:
    with pytest.raises(InputError, match=r"the space has \d+ designs, too many to try all \(at most 5000\)"):
        all_designs(Designs(kernel("3mm.c", NI=64, NJ=64, NK=64, NL=64, NM=64), LIBRARY))


def test_the_space_is_that_of_the_paper() -> None:
    # Ten levels of each of two loops of 16 iterations, eight of each of the seven dimensions: Table 1, GESUMMV.
    assert Designs(kernel("gesummv.c", N=16), LIBRARY).space == 10**2 * 8**7


def test_unrolling_stops_before_bodies_too_large_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hls_loops, "MOST_STATEMENTS", 20)
    designs = Designs(kernel("mvt.c", N=16), LIBRARY)
    found = explore_directives(designs)
    assert max(designs.loops.statements(step.design.levels) for step in found.steps) <= 20
    assert found.cut and all("line" in loop for loop in found.cut)


def test_a_loop_that_runs_a_prime_number_of_times_has_few_steps(tmp_path: Path) -> None:
    program = written(tmp_path, "void k(int a[4]) {\nfor (int i = 0; i < 1000000007; i++)\na[0] = a[0] + 1;\n}\n")
    designs = Designs(program, LIBRARY)
    assert designs.loops.steps(next(iter(designs.loops))) == (1, 1_000_000_007)
    assert explore_directives(designs).cut  # the second one is too large


@pytest.mark.parametrize(
    ("body", "final"),
    [
        ("for (int i = 0; i < 8; i++)\nfor (int j = 0; j < 1; j++)\na[i] = a[i] + j;", {2: 8, 3: 1}),
        ("for (int i = 0; i < 8; i++)\nfor (int j = 0; j <= i; j++)\na[i] = a[i] + j;", {3: 1}),
        ("for (int i = 0; i < 8; i++)\nfor (int j = 0; j < 0; j++)\na[i] = a[i] + j;", {3: 1}),
        ("for (int i = 0; i < 2; i++)\nif (i > 4)\nfor (int j = 0; j < 2; j++)\na[i] = a[i] + j;", {2: 2, 4: 2}),
    ],
    ids=["one iteration", "bounds that change", "no iteration", "never reached"],
)
def test_loops_of_all_kinds_come_to_an_end(body: str, final: dict[int, int], tmp_path: Path) -> None:
    found = explore_directives(Designs(written(tmp_path, f"void k(int a[8]) {{\n{body}\n}}\n"), LIBRARY))
    assert {line: level for (_, line, _), level in found.final.levels.items()} == final


def test_loops_that_begin_in_one_line_cannot_be_told_apart(tmp_path: Path) -> None:
    nest = "for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) a[i] = a[j];"
    with pytest.raises(InputError, match=r"k\.c:1:48: two loops begin in line 1"):
        Designs(written(tmp_path, f"void k(int a[4]) {{ {nest} }}"), LIBRARY)


def test_arrays_are_cut_by_their_distinct_offsets() -> None:
    designs = Designs(kernel("gesummv.c", N=12), LIBRARY)
    _, inner = designs.loops
    found = partitions_of(designs, {inner: 4})
    assert (found["A"].kind, found["A"].dim, found["A"].factor, found["A"].more) == ("cyclic", 2, 4, ())
    whole = partitions_of(designs, {inner: 12})
    assert (whole["A"].kind, whole["A"].dim) == ("complete", 2)
    assert whole["x"].registers


def test_blocks_are_chosen_where_offsets_would_meet_in_one_cyclic_part(tmp_path: Path) -> None:
    source = "void k(int a[64], int b[32]) {\nfor (int i = 0; i < 32; i++)\nb[i] = a[i] + a[i + 32];\n}\n"
    designs = Designs(written(tmp_path, source), LIBRARY)
    (loop,) = designs.loops
    found = partitions_of(designs, {loop: 1})
    assert (found["a"].kind, found["a"].factor) == ("block", 2)


def test_arguments_on_buses_stay_there_and_the_directives_of_the_source_are_told_to_be_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = """void k(const int *in, int *out) {
    #pragma HLS interface m_axi port=in bundle=g0
    #pragma HLS interface m_axi port=out bundle=g1
    for (int i = 0; i < 32; i++)
    #pragma HLS pipeline II=1
    out[i] = in[i] + in[i + 32]; }"""
    (tmp_path / "k.cpp").write_text(source)
    found = ppnsim.explore_directives(tmp_path / "k.cpp").explored
    plain, pipelined = (step.design for step in found.walk.steps[::2][:2])
    assert all(not step.design.partitions for step in found.walk.steps)
    assert pipelined.cycles == ppnsim.schedule(tmp_path / "k.cpp").kernels[0].machine.cycles < plain.cycles
    assert capsys.readouterr().err.startswith("directives of the source on loops and arrays are left out")


@pytest.mark.parametrize("outer", [2, 4])
def test_a_perfect_nest_unrolled_from_outside_leaves_no_loop(outer: int, tmp_path: Path) -> None:
    source = "void k(int a[4][4]) {\nfor (int i = 0; i < 4; i++)\nfor (int j = 0; j < 4; j++)\na[i][j] = 7;\n}\n"
    program = written(tmp_path, source)
    (i, j) = Designs(program, LIBRARY).loops
    machine = schedule_kernel(
        program, LIBRARY, Directives({i: LoopDirective(unroll=outer), j: LoopDirective(unroll=0)})
    )
    stores = [n for r in machine.regions for n in r.graph.nodes if n.kind == "store"]
    assert len(machine.nests) == (outer < 4)
    assert len(stores) == (16 if outer == 4 else 0)


def test_a_balanced_sum_is_there_after_its_logarithm(tmp_path: Path) -> None:
    terms = " + ".join(f"a[i][{n}]" for n in range(16))
    source = f"void k(float a[4][16], float b[4]) {{\nfor (int i = 0; i < 4; i++)\nb[i] = {terms};\n}}\n"
    program = written(tmp_path, source)
    (loop,) = Designs(program, LIBRARY).loops
    directives = Directives({loop: LoopDirective(pipeline=True)})
    chain, tree = (
        schedule_kernel(program, LIBRARY, directives, replace(TOOL, default_ports=16, balance=balance)).nests[0].body
        for balance in (False, True)
    )
    states = next(node.states for node in tree.graph.nodes if node.name == "add")
    assert chain.depth - tree.depth == (15 - 4) * states
    assert sum(node.name == "add" for node in tree.graph.nodes) == 15


def test_a_recurrence_goes_through_one_balanced_addition(tmp_path: Path) -> None:
    source = "void k(float a[64], float s[1]) {\nfor (int i = 0; i < 64; i++)\ns[0] = s[0] + a[i];\n}\n"
    program = written(tmp_path, source)
    (loop,) = Designs(program, LIBRARY).loops
    directives = Directives({loop: LoopDirective(pipeline=True, unroll=4)})
    chain, tree = (
        schedule_kernel(program, LIBRARY, directives, replace(TOOL, default_ports=4, balance=balance))
        .nests[0]
        .body.schedule
        for balance in (False, True)
    )
    once = schedule_kernel(program, LIBRARY, Directives({loop: LoopDirective(pipeline=True)})).nests[0].body.schedule
    assert tree.ii == once.ii < chain.ii


def test_units_are_counted_once_for_each_loop_of_an_exploration() -> None:
    program = kernel("mvt.c", N=4)
    apart, common = (Designs(program, LIBRARY, replace(RULES, common=common)) for common in (False, True))
    inner = [key for number, key in enumerate(apart.loops) if number % 2]
    levels = dict.fromkeys(inner, 1)
    assert apart.at(levels, {}).area["dsp"] == 2 * common.at(levels, {}).area["dsp"]


def test_a_file_knows_every_design_that_was_scheduled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, path = kernel("mvt.c", N=4), tmp_path / "designs.csv"
    with DesignRows(path) as rows:
        first = explore_directives(Designs(program, LIBRARY, rows=rows))
        assert rows.found == 0
    monkeypatch.setattr("ppnsim.hls.dse.designs.schedule_kernel", None)  # nothing is left to schedule
    with DesignRows(path) as rows:
        again = explore_directives(Designs(program, LIBRARY, rows=rows))
        assert rows.found == again.explored
    assert again == first
    # Rules change what a design takes: what other code has found is not known.
    monkeypatch.setattr("ppnsim.hls.dse.designs.code_of_schedules", lambda: "of another version")
    with DesignRows(path) as rows, pytest.raises(TypeError):
        explore_directives(Designs(program, LIBRARY, rows=rows))
    packages = [tmp_path / name for name in ("one", "two")]
    for number, package in enumerate(packages):
        (package / "hls").mkdir(parents=True)
        (package / "hls" / "rules.py").write_text(f"LATENCY = {number}", encoding="utf-8")
    assert len({code_of_schedules(package) for package in packages}) == 2


def test_an_exploration_that_was_stopped_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, path = kernel("mvt.c", N=4), tmp_path / "designs.csv"
    whole = explore_directives(Designs(program, LIBRARY))
    left = [7]

    def stopping(*arguments: object, **more: object) -> object:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return schedule_kernel(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("ppnsim.hls.dse.designs.schedule_kernel", stopping)
    with DesignRows(path) as rows:
        part = explore_directives(Designs(program, LIBRARY, rows=rows))
    assert not part.complete and part.explored == 7 and part.final.fits
    monkeypatch.undo()
    with DesignRows(path) as rows:
        rest = explore_directives(Designs(program, LIBRARY, rows=rows))
        assert rows.found == 7
    assert asked(rest) == asked(whole)


@pytest.mark.parametrize("change", ["clock", "device", "rules", "source"])
def test_a_design_is_another_one_if_anything_that_decides_it_changes(change: str) -> None:
    program = kernel("mvt.c", N=4)
    designs = Designs(program, LIBRARY)
    changed = {
        "clock": lambda: Designs(program, load_library("xc7vx690t", 5)),
        "device": lambda: Designs(program, with_dsp(100)),
        "rules": lambda: Designs(program, LIBRARY, replace(RULES, balance=False)),
        "source": lambda: Designs(kernel("mvt.c", N=5), LIBRARY),
    }[change]()
    assert changed.key({}, {}) != designs.key({}, {})


def test_where_a_source_lies_is_nothing_that_decides(tmp_path: Path) -> None:
    text = Path(KERNELS["mvt.c"]).read_text(encoding="utf-8")
    keys = set()
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mvt.c").write_text(text, encoding="utf-8")
        designs = Designs(load_kernels(str(tmp_path / folder / "mvt.c")).programs[0], LIBRARY)
        keys.add(designs.key(dict.fromkeys(designs.loops, 1), {}))
    assert len(keys) == 1


def test_a_row_that_was_tampered_with_is_refused(tmp_path: Path) -> None:
    program, path = kernel("mvt.c", N=4), tmp_path / "designs.csv"
    with DesignRows(path) as rows:
        plain = Designs(program, LIBRARY, rows=rows).at({}, {})
    loops = " ".join(map(str, plain.loops.values()))
    path.write_text(path.read_text(encoding="utf-8").replace(loops, "many"), encoding="utf-8")
    with (
        DesignRows(path) as rows,
        pytest.raises(InputError, match=r"designs\.csv: loops = 'many' of row .* are no cycles"),
    ):
        Designs(program, LIBRARY, rows=rows).at({}, {})


def test_a_loop_that_gets_slower_is_not_unrolled_to_its_end(tmp_path: Path) -> None:
    """Factors up to 2048 were tried, 100 s, though 2 was half as fast as none."""
    source = "void k(int a[2048], int h[16]) {\n for (int i = 0; i < 2048; i++) h[a[i] & 15] += 3; }\n"
    (path := tmp_path / "k.c").write_text(source, encoding="utf-8")
    found = explore_directives(Designs(load_kernels(str(path), policy=HARDWARE).programs[0], LIBRARY))
    levels = [next(iter(step.design.levels.values()), 0) for step in found.steps]
    assert levels == [0, 1, 1, 2, 2, 4, 4, 1]
    assert (found.final, found.stopped) == (found.best, ("i (line 2)",))
