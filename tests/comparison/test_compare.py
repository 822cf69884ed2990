"""Models beside simulations: errors, causes that add up, regimes that are exact, and models of a user's own."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

import ppnsim
from ppnsim.analysis.lost_cycles import CycleSplit
from ppnsim.comparison.laws.case import KINDS, Case, SizedKernel
from ppnsim.comparison.laws.named import NAMED, USUAL, model_named, takers
from ppnsim.comparison.laws.own import model_in_file, own_model
from ppnsim.comparison.model import ComparedPoint, ModelComparison, error_words
from ppnsim.comparison.pictures.lines import _colour
from ppnsim.comparison.regimes import regime
from ppnsim.comparison.run.kernels import ScheduleSubject
from ppnsim.comparison.run.network import NetworkSubject
from ppnsim.comparison.run.subject import Difference, Outcome
from ppnsim.comparison.sizes import with_sizes
from ppnsim.errors import InputError
from ppnsim.library.compare import ComparedModels
from ppnsim.model.network import Network, Process
from tests.helpers.strategies import networks

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def one(found: ComparedModels) -> ModelComparison:
    (model,) = found.models
    return model


# -- networks ----------------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(
    networks(styles=["elastic", "flushable", "frozen"]), st.sampled_from(["absolute", "unbounded", "bounds", "busiest"])
)
def test_causes_add_up_to_the_difference_at_the_worst_point(network: Network, model: str) -> None:
    found = one(ppnsim.compare(network, model))
    assert found.worst is not None
    if found.worst.simulated is None:
        assert found.told[0].startswith("deadlock") and "->" in found.told[-1]
    elif found.worst.predicted is not None:
        assert found.complete
        amounts = [cause.amount or 0 for cause in found.causes]
        assert sum(amounts) == found.worst.simulated - found.worst.predicted
        if model in ("absolute", "unbounded"):
            assert not [cause for cause in found.causes if "the model itself" in cause.words]


def test_each_stall_is_named_for_what_it_is() -> None:
    full = one(ppnsim.compare(ppnsim.fork_join(firings=20, short_depth=1), "absolute"))
    assert [(cause.words.partition(":")[0], cause.amount) for cause in full.causes] == [("full FIFOs", 55)]
    alone = [Process(name=name, firings=8, resource="mul") for name in "ab"]
    shared = one(ppnsim.compare(Network(processes=alone, channels=[], resources={"mul": 1}), "absolute"))
    assert [cause.words.partition(":")[0] for cause in shared.causes] == ["shared resources"]
    frozen = one(ppnsim.compare(ppnsim.chain(firings=20, ii=(3, 1, 3), latency=6, style="frozen"), "absolute"))
    assert [cause.words.partition(" ")[0] for cause in frozen.causes] == ["pipelines"]
    ordered = one(ppnsim.compare(ppnsim.predictor(), "unbounded"))
    assert [(cause.words.partition(" executes")[0], cause.amount) for cause in ordered.causes] == [("one process", 38)]


def test_bounds_know_of_shared_resources() -> None:
    alone = [Process(name=name, firings=8, resource="mul") for name in "ab"]
    found = one(ppnsim.compare(Network(processes=alone, channels=[], resources={"mul": 1}), "bounds"))
    assert found.worst is not None and found.worst.error == 0


def test_a_deadlock_is_the_worst_point_and_a_failure() -> None:
    found = one(ppnsim.compare(ppnsim.fork_join(firings=20, style="frozen"), vary={"short*.depth": [1, 3, 6]}))
    assert [point.simulated for point in found.points] == [None, None, 55]
    assert found.worst == found.points[0]
    assert found.errors is not None and found.errors.points == 1
    assert found.regime == "fails (beyond 5 %) at 3 of 3 points"


def test_the_points_are_those_of_runs_and_estimates() -> None:
    network = ppnsim.fork_join(firings=20)
    found = ppnsim.compare(network, ["absolute", "unbounded"], vary={"long.latency": [2, 5], "short*.depth": [2, None]})
    for row in found.rows():
        depth = row["short*.depth"]
        at = network.with_depths(dict.fromkeys(["short_in", "short_out"], None if depth == "unbounded" else depth))
        at = at.replace(
            processes=[
                Process(name=p.name, firings=p.firings, latency=row["long.latency"] if p.name == "long" else p.latency)
                for p in at.processes
            ]
        )
        assert row["simulated"] == ppnsim.run(at).finish
        assert row["predicted.absolute"] == ppnsim.absolute(at).finish
        assert row["difference.unbounded"] == row["simulated"] - row["predicted.unbounded"]


def test_a_deadlock_leaves_whole_numbers_whole_and_says_why_cells_are_empty() -> None:
    frame = ppnsim.compare(
        ppnsim.fork_join(firings=20, style="frozen"), "absolute", vary={"*.depth": [2, 12]}
    ).to_frame()
    assert frame["outcome"].tolist() == ["deadlock", "simulated"]
    assert str(frame["simulated"].dtype) == str(frame["difference.absolute"].dtype) == "Int64"
    assert frame["simulated"].isna().tolist() == [True, False]


# -- regimes -----------------------------------------------------------------------------------------------------------

AXES = {"n": range(1, 7), "d": range(1, 5)}
PLANE = [(n, d) for n in AXES["n"] for d in AXES["d"]]


def points(bad: set[tuple[int, int]]) -> list[ComparedPoint]:
    return [ComparedPoint(values={"n": n, "d": d}, predicted=1, simulated=2 if (n, d) in bad else 1) for n, d in PLANE]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 4), st.integers(1, 4))
def test_a_regime_that_is_a_box_is_said_exactly(n1: int, n2: int, d1: int, d2: int) -> None:
    bad = {(n, d) for n, d in PLANE if n1 <= n <= n2 and d1 <= d <= d2}
    said = regime(points(bad), AXES, 0.05)
    if not bad:
        assert said == "holds within 5 % at all 24 points"
    elif len(bad) == 24:
        assert said == "fails (beyond 5 %) at 24 of 24 points"
    else:
        where = said.partition("exactly where ")[2].replace(" = ", " == ")
        assert {(n, d) for n, d in PLANE if eval(where, {"n": n, "d": d})} == bad


@given(st.sets(st.sampled_from(PLANE)))
def test_what_is_called_exact_is(bad: set[tuple[int, int]]) -> None:
    said = regime(points(bad), AXES, 0.05)
    for words, meant in (("fails", bad), ("holds", set(PLANE) - bad)):
        _, exact, where = said.rpartition("it holds exactly where " if words == "holds" else "points: exactly where ")
        if exact:
            where = where.replace(" = ", " == ")
            assert {(n, d) for n, d in PLANE if eval(where, {"n": n, "d": d})} == meant


# -- models ------------------------------------------------------------------------------------------------------------


def test_every_kind_has_a_word_and_every_usual_model_takes_its_kind() -> None:
    assert all(kind in NAMED[name].takes for kind, name in USUAL.items())
    assert {kind for model in NAMED.values() for kind in model.takes} | {"placed"} == set(KINDS)
    assert takers("placed") == "only a Python file with a model of your own takes"
    for kind in KINDS:
        for name, model in NAMED.items():
            if kind not in model.takes:
                with pytest.raises(
                    InputError, match=f"^--model {name}: takes .* a Python file with a model of your own"
                ):
                    model_named(name, kind)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def f(n): return n\ndef g(n): return n", "2 functions"),
        ("x = 1", "no function"),
        ("def f(n: return n", "line 1: SyntaxError"),
        ("import nowhere", "line 1: ModuleNotFoundError"),
        ("def f(m): return m", "asks for 'm', which neither varies nor is set"),
        ("def f(n):\n    return 1 // (n - n)", "line 2: ZeroDivisionError"),
        ("def f(n): return 'slow'", "returns 'slow', which is not a number"),
        ("def f(n): return float('nan')", "returns nan"),
        ("def f(n):\n    raise SystemExit(0)", "line 2: SystemExit"),
        ("exit(0)", "SystemExit"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_place(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=f"--model .*mine.py: .*{re.escape(words)}"):
        model_in_file(str(file), "network").predict(Case(values={"n": 2}, held=None))


def test_what_a_model_prints_is_not_among_the_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text("print('read')\ndef f(n):\n    print('asked')\n    return n", encoding="utf-8")
    assert model_in_file(str(file), "network").predict(Case(values={"n": 2}, held=None)) == 2
    assert tuple(capsys.readouterr()) == ("", "read\nasked\n")


def test_a_model_sees_parameters_settings_and_the_thing_itself() -> None:
    seen = []

    def mine(n: int, c0_depth: int, network: Network, scale: int = 2) -> int:
        seen.append((n, c0_depth, network.channel("c0").depth, scale))
        return n

    case = Case(values={"c0.depth": 3}, settings={"n": 7}, held=ppnsim.chain(firings=4, depth=3))
    assert own_model(mine, "network").predict(case) == 7
    assert seen == [(7, 3, 3, 2)]


def test_a_model_reads_the_numbers_of_the_network_that_do_not_vary() -> None:
    found = one(ppnsim.compare(ppnsim.chain(firings=9, depth=2), lambda p1_firings, c0_depth: p1_firings + c0_depth))
    assert found.points[0].predicted == 11


def test_points_that_deadlock_are_counted_where_the_others_are_exact() -> None:
    found = ppnsim.compare(ppnsim.fork_join(firings=20, style="frozen"), vary={"short*.depth": [1, 12]})
    assert [point.simulated for point in one(found).points] == [None, 37]
    assert error_words(one(found)) == "exact; over 1 of 2 points (1 deadlocks)"


def test_none_is_no_prediction_and_no_error() -> None:
    found = one(
        ppnsim.compare(ppnsim.chain(firings=4), lambda p1_ii: None if p1_ii > 1 else 16, vary={"p1.ii": [1, 2]})
    )
    assert [point.predicted for point in found.points] == [16, None]
    assert found.worst == found.points[0] and found.unanswered == found.points[1:]
    assert found.errors is not None and found.errors.points == 1


def test_macros_and_parameters_of_a_source_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "k.c"
    file.write_text("#ifndef N\n#define N 4\n#endif\nvoid f(int m, int a[N]);", encoding="utf-8")
    assert with_sizes(str(file), {"settings": {"k": 1}}, {"N": 8, "m": 2}) == {
        "defines": {"N": "8"}, "settings": {"k": 1, "m": 2}
    }  # fmt: skip


# -- other sources -----------------------------------------------------------------------------------------------------

SOURCES: dict[str, tuple[str, dict[str, list[int]], dict[str, Any]]] = {
    "lost": ("kernels/gemm.c", {"NI": [4, 7]}, {"defines": {"NJ": "4", "NK": "4"}}),
    "ratss": ("platforms/image_filter.toml", {"stage.filter.compute.ops_per_cycle": [8, 34]}, {}),
    "opencl": ("opencl/vecadd.toml", {"N": [256, 1024]}, {}),
    "roofline": ("rooflines/spmv.toml", {"argument.A.locality": [64]}, {}),
    "absolute": ("kernels/predictor.c", {"X": [3, 4]}, {}),
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_model_over_a_sweep_explains_its_worst_point_and_travels(name: str) -> None:
    file, vary, options = SOURCES[name]
    found = ppnsim.compare(str(SCENARIOS / file), name, vary=vary, **options)
    model = one(found)
    assert model.worst is not None
    assert model.causes or model.told or not model.worst.error
    if model.complete and model.worst.simulated is not None and model.worst.predicted is not None:
        difference = model.worst.simulated - model.worst.predicted
        assert sum(cause.amount or 0 for cause in model.causes) == pytest.approx(difference)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["points"] == found.rows()
    assert pickle.loads(pickle.dumps(found)) == found
    assert model.regime in str(found)


def test_the_worst_point_of_ratss_names_the_port_that_it_does_not_know() -> None:
    file, vary, _ = SOURCES["ratss"]
    found = one(ppnsim.compare(str(SCENARIOS / file), vary=vary))
    assert found.regime == "fails (beyond 5 %) at 1 of 2 points: exactly where stage.filter.compute.ops_per_cycle = 34"
    assert "input port" in max(found.causes, key=lambda cause: cause.amount or 0).words


def test_a_memory_along_its_banks() -> None:
    found = one(ppnsim.compare("DDR4-2400", vary={"banks": [1, 8]}))
    assert [point.within(0.05) for point in found.points] == [True, False]
    assert found.causes[0].words.startswith("tRC")
    with pytest.raises(InputError, match=r"^--vary: of a memory one thing varies at a time"):
        ppnsim.compare("DDR4-2400")
    with pytest.raises(InputError, match="not whole requests of 64 bytes"):
        ppnsim.compare("DDR4-2400", vary={"locality": 65})


def test_a_network_across_nodes_takes_a_model_of_ones_own() -> None:
    file = str(SCENARIOS / "networks" / "two_fpgas.toml")
    with pytest.raises(InputError, match="only a Python file"):
        ppnsim.compare(file)
    found = one(ppnsim.compare(file, lambda: 1e-6))
    assert found.worst is not None and found.worst.simulated is not None
    assert found.complete and found.causes[-1].words.startswith("the model itself")


def test_a_macro_that_the_source_defines_itself_does_not_vary(tmp_path: Path) -> None:
    source = tmp_path / "scale.c"
    loop = "void scale(int x[N], int y[N]) { for (int i = 0; i < N; i++) y[i] = 2 * x[i]; }\n"
    source.write_text(f"#define N 16\n{loop}", encoding="utf-8")
    for model in ("absolute", "lost"):
        with pytest.raises(
            InputError, match=r"scale\.c: its '#define N' has the last word: put it between '#ifndef N'"
        ):
            ppnsim.compare(source, model, vary={"N": [4, 8]})
    source.write_text(f"#ifndef N\n#define N 16\n#endif\n{loop}", encoding="utf-8")
    assert ppnsim.compare(source, "absolute", vary={"N": [4, 8]}).to_frame()["simulated"].diff()[1] == 4


def test_a_model_beside_a_schedule_sees_the_macros_that_are_set() -> None:
    seen = []

    def mine(M: int, N: int) -> int:  # noqa: N803
        seen.append((M, N))
        return M * N

    source = Path(__file__).parents[2] / "scenarios" / "kernels" / "atax.c"
    found = ppnsim.compare(source, [mine, "lost"], vary={"M": [4]}, defines={"N": "8"})
    assert seen == [(4, 8)] and len(found.models) == 2


def test_models_have_colours_of_their_own_and_of_one_model_its_lines() -> None:
    assert len({_colour(model, 0, [()]) for model in range(4)}) == 4
    assert len({_colour(2, line, [(), (1,), (2,)]) for line in range(3)}) == 3


def test_what_a_schedule_spends_explains_other_models_and_its_parts_the_own_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lost model names the parts that its formulas miss; without its number, or of another model, all are told."""
    split = CycleSplit(useful=10, initialisation=3, memory=0, control=4)
    subject = object.__new__(ScheduleSubject)
    learned = CycleSplit(useful=10, initialisation=1, memory=0, control=5)
    monkeypatch.setattr(ScheduleSubject, "_predicted", lambda *_: learned)
    case = Case(values={"N": 4}, held=SizedKernel({"N": 4}, lambda _: 0))
    for model, predicted in (("mine", 16), ("lost", None), ("mine", None)):
        why = subject.causes(Difference(case, Outcome(17, split), model, predicted))
        spent = "the 17 cycles of the schedule are 10 useful, 3 initialisation, 4 control"  # they are no causes
        assert (why.causes, why.complete, why.told) == ((), False, (spent,))
    why = subject.causes(Difference(case, Outcome(17, split), "lost", 16))
    assert [(each.words, each.amount) for each in why.causes] == [
        ("initialisation cycles: scheduled 3, by formula 1", 2), ("control cycles: scheduled 4, by formula 5", -1),
    ]  # fmt: skip
    assert why.complete


def test_predictions_alone_explain_nothing() -> None:
    (model,) = ppnsim.compare(ppnsim.chain(firings=4), "absolute", simulate=False).models
    assert (model.causes, model.complete, model.worst, model.regime) == ((), False, None, "")


def test_ctrl_c_keeps_the_points_that_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted before any point, there is nothing to keep."""
    real, left = NetworkSubject.simulate, [1]

    def simulate(self: NetworkSubject, case: Case) -> Outcome:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return real(self, case)

    monkeypatch.setattr(NetworkSubject, "simulate", simulate)
    told: list[tuple[int, int]] = []
    asked: dict[str, Any] = {"vary": {"c0.depth": [1, 2, 3]}, "progress": lambda *at: told.append(at)}
    found = ppnsim.compare(ppnsim.chain(firings=4), "absolute", **asked)
    assert found.comparison.interrupted and [point.values for point in one(found).points] == [{"c0.depth": 1}]
    assert told == [(1, 3)]
    with pytest.raises(KeyboardInterrupt):
        ppnsim.compare(ppnsim.chain(firings=4), "absolute", **asked)
    monkeypatch.undo()
    assert not ppnsim.compare(ppnsim.chain(firings=4), "absolute", **asked).comparison.interrupted


@pytest.mark.parametrize(("tolerance", "fits"), [(-0.01, False), (0, True), (0.99, True), (1, False)])
def test_a_tolerance_is_a_part_below_all(tolerance: float, fits: bool) -> None:
    if fits:
        found = ppnsim.compare(ppnsim.chain(firings=4), "absolute", tolerance=tolerance)
        assert found.comparison.tolerance == tolerance
    else:
        with pytest.raises(InputError, match="tolerance"):
            ppnsim.compare(ppnsim.chain(firings=4), "absolute", tolerance=tolerance)


def test_a_model_beside_the_simulation_is_shown_in_a_line() -> None:
    found = ppnsim.compare(ppnsim.fork_join(firings=20), vary={"short*.depth": range(1, 13)})
    assert repr(found.models[0]).startswith("<ModelComparison: absolute: mean |error| ")
    assert len(repr(found.models[0])) < 150 and repr(found.models[0])[1:] not in repr(found)


def test_a_point_that_breaks_a_rule_is_told_and_the_others_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    network = ppnsim.fork_join(firings=20)
    found = ppnsim.compare(network, "absolute", vary={"short_in.depth": [0, 1, 2]})
    (refused,) = found.comparison.refused
    assert refused.name == "short_in.depth = 0" and "depths start at 1" in refused.reason
    rows = found.rows()
    assert [row["short_in.depth"] for row in rows] == [1, 2, 0]
    assert rows[-1]["outcome"] == f"refused: {refused.reason}" and rows[-1]["simulated"] is None
    assert rows[:2] == ppnsim.compare(network, "absolute", vary={"short_in.depth": [1, 2]}).rows()
    found.print(Console(width=200))
    assert f"refused at short_in.depth = 0: {refused.reason}" in " ".join(capsys.readouterr().out.split())


def test_a_comparison_of_which_no_point_works_is_refused_with_the_first_reason() -> None:
    with pytest.raises(InputError, match=r"short_in\.depth = 0, long_in\.depth = 1: .*depths start at 1"):
        ppnsim.compare(ppnsim.fork_join(firings=20), "absolute", vary={"short_in.depth": [0], "long_in.depth": [1, 2]})
