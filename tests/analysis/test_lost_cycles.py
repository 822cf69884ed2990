"""Lost cycles: the split of a nest against its formulas, exact fitting, and networks whose parts add up."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppnsim import Channel, Network, Process, chain, fork_join, predictor, run
from ppnsim.analysis.formulas import Formula, fit, monomials
from ppnsim.analysis.lost_cycles import CycleSplit, lost_cycles
from ppnsim.cli.main import main
from ppnsim.errors import InputError
from ppnsim.formats.network_json import dump_network
from ppnsim.hls.lost.model import learn
from ppnsim.plots.lost_cycles import COLOURS
from ppnsim.plots.lost_cycles import lost_cycles_figure as picture
from tests.helpers.commands import ppnsim
from tests.helpers.strategies import networks
from validation.lost.equations import nested_cycles, performance, useful_cycles
from validation.lost.loop_nest_split import Design, Loop, Nest, split_of

PRODUCT = Nest(loops=(Loop(name="I"), Loop(name="J"), Loop(name="K")), reductions=frozenset({"K"}))
TRIANGLE = Nest(loops=(Loop(name="I"), Loop(name="J", start="I")), reductions=frozenset({"J"}))


def sizes(i: int, j: int, k: int) -> dict[str, int]:
    return {"I": i, "J": j, "K": k}


def naive_pipeline(iterations: list[list[int]], step: int) -> int:
    """Issue operations in order, one per cycle, ``step`` after the last one on the same element; iterations alike.

    Returns the cycle of the last issue at the smallest constant distance of iterations that keeps both rules.
    """

    def offsets(elements: list[int]) -> list[int]:
        at: list[int] = []
        last: dict[int, int] = {}
        for element in elements:
            now = max(at[-1] + 1 if at else 0, last.get(element, -step) + step)
            at.append(now)
            last[element] = now
        return at

    first = offsets(iterations[0])
    distance = len(iterations[0])
    while any(
        a == b and first[i] + step > distance + first[k]
        for i, a in enumerate(iterations[0])
        for k, b in enumerate(iterations[1] if len(iterations) > 1 else [])
    ):
        distance += 1
    return (len(iterations) - 1) * distance + first[-1]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6), st.sampled_from("IJK"))
def test_a_pipeline_issues_as_a_naive_scheduler_does(i: int, j: int, k: int, level: str) -> None:
    def element(a: int, b: int) -> int:
        return a * j + b

    split = split_of(PRODUCT, Design(kind="pipeline", loop=level), sizes(i, j, k))
    if level == "K":
        visits = [[[element(a, b)] for _ in range(k)] for a in range(i) for b in range(j)]
    elif level == "J":
        visits = [[[element(a, b)] * k for a in range(i) for b in range(j)]]
    else:  # the additions to one element as far apart as the others allow
        visits = [[[element(a, b) for _ in range(k) for b in range(j)] for a in range(i)]]
    issued = sum(naive_pipeline(visit, step=8) + 1 + 12 for visit in visits)
    assert split.useful + split.initialisation == issued
    assert split.useful == i * j * k


@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 5))
def test_without_optimisation_the_walk_is_nested_loops(i: int, j: int, k: int) -> None:
    assert split_of(PRODUCT, Design(), sizes(i, j, k)).total == nested_cycles([(16, k), (2, j), (2, i)]) + 2


@given(st.sampled_from("IJK"), st.integers(2, 4), st.integers(2, 3))
def test_unrolling_keeps_the_useful_cycles_and_never_adds_lost_ones(level: str, factor: int, rounds: int) -> None:
    bounds = {**sizes(4, 4, 4), level: factor * rounds}
    plain = split_of(PRODUCT, Design(), bounds)
    split = split_of(PRODUCT, Design(kind="unroll", loop=level, factor=factor), bounds)
    assert split.useful == plain.useful
    assert split.lost < plain.lost


def test_a_completely_unrolled_loop_leaves_no_control_of_its_own() -> None:
    whole = split_of(PRODUCT, Design(kind="unroll", loop="K", factor=4), sizes(3, 3, 4))
    assert whole.control == nested_cycles([(0, 3), (2, 3)]) + 2


def test_the_formulas_of_a_triangle_are_found_with_squares() -> None:
    model = learn(lambda at: split_of(TRIANGLE, Design(), {"I": at["N"], "J": at["N"]}), ["N"])
    assert str(model.formulas["useful"]) == "1/2*N^2 + 1/2*N"
    assert str(model.formulas["control"]) == "1/2*N^2 + 5/2*N + 2"
    assert model.at({"N": 200}) == split_of(TRIANGLE, Design(), {"I": 200, "J": 200})


def test_formulas_learned_at_small_sizes_predict_large_ones() -> None:
    def observe(at: Any) -> CycleSplit:
        return split_of(PRODUCT, Design(kind="unroll", loop="K", factor=at["U"]), at)

    model = learn(observe, ["I", "J", "K"], unrolled="K")
    assert str(model.formulas["initialisation"]) == "7*I*J*K + 5*I*J*K/U"
    large = {**sizes(20, 30, 40), "U": 8}
    assert model.at(large) == observe(large)
    with pytest.raises(InputError, match="initialisation: 130/3 is not a whole number of cycles"):
        model.at({**sizes(1, 1, 5), "U": 3})


def test_what_no_product_of_bounds_describes_is_refused_with_a_place() -> None:
    with pytest.raises(InputError, match=r"control at \{'N': .*\} is .*, predicted"):
        learn(lambda at: CycleSplit(control=max(0, at["N"] - 4)), ["N"])


def test_a_fit_of_too_few_points_names_what_they_do_not_tell_apart() -> None:
    points = [{"I": 4, "J": 4}, {"I": 32, "J": 32}]
    with pytest.raises(InputError, match=r"^2 points cannot tell I from other products of bounds"):
        fit(points, [1, 2], monomials([["I"], ["J"]]))


def test_least_squares_is_that_of_numpy_where_no_formula_is_exact() -> None:
    points, values = [{"N": n} for n in range(1, 7)], [3, 4, 8, 10, 10, 17]
    found = fit(points, values, monomials([["N"]], degree=2))
    wanted = np.polyfit([point["N"] for point in points], values, 2)[::-1]
    assert not found.exact
    assert [float(found.formula.terms[key]) for key in ((), (("N", 1),), (("N", 2),))] == pytest.approx(wanted)
    assert found.residual == max(abs(found.formula.at(p) - v) for p, v in zip(points, values, strict=True))


@given(st.lists(st.fractions(-9, 9, max_denominator=6), min_size=4, max_size=4))
def test_a_formula_is_found_again_from_its_own_values(factors: list[Fraction]) -> None:
    basis = monomials([["I"], ["J"]])
    formula = Formula.sum(zip(basis, factors, strict=True))
    points = [{"I": i, "J": j} for i in (2, 5) for j in (3, 7)]
    assert fit(points, [formula.at(point) for point in points], basis).formula == formula


def test_a_formula_prints_its_factors() -> None:
    i = Formula.variable("I")
    assert str(i * i * 3 - i + -2) == "3*I^2 - I - 2"
    assert str(i - i) == "0"


@pytest.mark.parametrize(
    ("design", "bounds", "message"),
    [
        (Design(kind="pipeline", loop="L"), sizes(4, 4, 4), "no loop is called 'L'"),
        (Design(), {"I": 4, "J": 4}, "the bound of loop 'K' is not given"),
        (Design(), sizes(4, 0, 4), "loop 'J': bound 0 executes nothing"),
        (Design(kind="unroll", loop="K", factor=3), sizes(4, 4, 4), "loop 'K': 4 by 3: only factors that divide"),
        (Design(kind="unroll", loop="K", factor=0), sizes(4, 4, 4), "loop 'K': 4 by 0: only factors that divide"),
    ],
)
def test_designs_that_cannot_be_are_refused(design: Design, bounds: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        split_of(PRODUCT, design, bounds)


def test_a_triangle_is_not_unrolled_in_a_pipeline() -> None:
    with pytest.raises(InputError, match="starts at an outer one, so it cannot be unrolled as a whole"):
        split_of(TRIANGLE, Design(kind="pipeline", loop="I"), {"I": 4, "J": 4})


def test_equations_three_and_four() -> None:
    split = CycleSplit(useful=int(useful_cycles(128, parallel=2)), initialisation=768, memory=128, control=106)
    assert performance(128, split, clock_ns=Fraction(4)) == Fraction(128, 4 * 1066)
    with pytest.raises(InputError, match="parallel = 0 executes no operation"):
        useful_cycles(128, parallel=0)


@given(networks())
def test_the_parts_of_every_process_add_up_to_the_finish(network: Network) -> None:
    outcome = run(network, on_deadlock="return")
    if outcome.deadlocked:
        with pytest.raises(InputError, match="no finish that its cycles could add up to"):
            lost_cycles(outcome)
        return
    assert outcome.finish is not None
    for split in lost_cycles(outcome):
        start = outcome.timeline.start(split.process)
        assert split.total == outcome.finish
        starts = len(np.unique(start[start < outcome.finish]))  # cycles, not firings
        scheduled = network.process(split.process).schedule is not None  # whose steps count, too
        assert split.useful >= starts if scheduled else split.useful == starts


def test_filling_is_initialisation_and_a_slow_producer_starves() -> None:
    first, second = lost_cycles(run(chain(firings=10, ii=(3, 1), latency=4)))
    assert (first.control, first.starved) == (9 * 2, 0)
    assert second.starved == 9 * 2
    began = int(run(chain(firings=10, ii=(3, 1), latency=4)).timeline.start("p1")[0])
    assert second.initialisation >= began


def test_a_recurrence_is_initialisation_and_no_starvation() -> None:
    network = Network(
        processes=[Process(name="sum", firings=10, latency=7)],
        channels=[Channel(name="own", source="sum", target="sum", initial=1)],
    ).checked()
    (split,) = lost_cycles(run(network))
    assert split.starved == 0
    assert split.initialisation == split.lost > 9 * 7


def test_repetitions_that_are_left_out_are_counted() -> None:
    network = chain(firings=20_000, ii=(1, 3, 1), depth=2)
    quick = run(network, engine="compiled")
    assert quick.left_out is not None
    assert lost_cycles(quick) == lost_cycles(run(network, engine="compiled", fast_forward=False))


def written(network: Network, folder: Path) -> str:
    path = folder / "network.json"
    path.write_text(json.dumps(dump_network(network)), encoding="utf-8")
    return str(path)


def test_the_command_prints_the_split_and_what_costs_most(tmp_path: Path) -> None:
    shown = ppnsim("lost", written(predictor(), tmp_path))
    lines = [" ".join(line.split()) for line in shown.stdout.splitlines()]
    assert shown.exit_code == 0
    assert lines[0].startswith("predictor finish 83 cycles (830 ns) engine ")
    assert "transformer 16 62 0 5 83 19.3 %" in lines
    assert lines[-1].startswith(
        "sink ends last and loses most to starvation (48 cycles): it waits for the data of others"
    )


def test_the_json_is_alone_on_standard_output_and_adds_up(tmp_path: Path) -> None:
    told = json.loads(ppnsim("lost", written(fork_join(firings=20), tmp_path), "--json", "-").stdout)
    assert told["processes"]["split"]["blocked"] > 0
    for split in told["processes"].values():
        assert split["useful"] + split["lost"] == told["finish"]


def test_a_picture_shows_the_parts_that_there_are(tmp_path: Path) -> None:
    place = tmp_path / "lost.svg"
    assert ppnsim("lost", written(predictor(), tmp_path), "--plot", str(place)).exit_code == 0
    assert place.read_text().count("<svg") == 1
    bars = {"4": {"useful": 64, "memory": 128}, "8": {"useful": 512, "memory": 1024}}
    axes = picture("mm", bars, axis="size").axes[0]
    tops = sorted(patch.get_y() + patch.get_height() for patch in axes.patches)  # type: ignore[attr-defined]
    assert tops == [64, 192, 512, 1536]
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_a_deadlock_has_its_own_exit_code(tmp_path: Path) -> None:
    network = Network(
        processes=[Process(name="a", firings=2), Process(name="b", firings=2)],
        channels=[Channel(name="x", source="a", target="b"), Channel(name="y", source="b", target="a")],
    )
    shown = ppnsim("lost", written(network, tmp_path), "--json", "-")
    assert shown.exit_code == 3
    assert json.loads(shown.stdout)["deadlock"] is not None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--plot", "x.gif"], "--plot x.gif: '.gif' is none of .svg, .png, .pdf"),
        (["another.json", "--plot", "x.gif"], "--plot x-network.gif: '.gif' is none of .svg, .png, .pdf"),
    ],
)
def test_bad_options_are_refused(
    options: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr("sys.argv", ["ppnsim", "lost", written(predictor(), tmp_path), *options])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert message in capsys.readouterr().err


def test_a_split_of_nothing_is_0_and_parts_add_up() -> None:
    assert (CycleSplit().total, CycleSplit().lost, CycleSplit().useful) == (0, 0, 0)
    one = CycleSplit(useful=5, initialisation=1, memory=2, control=3)
    assert (one.lost, one.total) == (6, 11)
    assert one + CycleSplit(useful=1, control=1) == CycleSplit(useful=6, initialisation=1, memory=2, control=4)
