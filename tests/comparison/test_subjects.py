"""What can be compared, its axes and its models: each kind of source, in tables; every refusal in its own words."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ppnsim
from ppnsim.comparison.compare import compare_subject, models_of
from ppnsim.comparison.laws.case import Case, PredictionModel
from ppnsim.comparison.laws.named import NAMED, model_named, takers
from ppnsim.comparison.laws.own import model_in_file, own_model
from ppnsim.comparison.model import ComparedPoint, Comparison, ModelComparison, error_words, percent, statistics
from ppnsim.comparison.regimes import regime
from ppnsim.comparison.run.kernels import ScheduleSubject
from ppnsim.comparison.run.memory import MemorySubject
from ppnsim.comparison.run.network import NetworkSubject, _path, _said
from ppnsim.comparison.run.placed import PlacedSubject
from ppnsim.comparison.run.platform import PlatformSubject
from ppnsim.comparison.run.subject import Difference, Outcome, Why, check_whole_numbers, plain_axis
from ppnsim.comparison.sizes import said_in, with_sizes
from ppnsim.comparison.sources import NO_DESIGN, subject_of
from ppnsim.errors import InputError, PpnsimError
from ppnsim.memory.model.presets import preset
from ppnsim.model.network import Channel, Network, Process

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def refused(call: Any, *arguments: Any, **options: Any) -> str:
    with pytest.raises(InputError) as error:
        call(*arguments, **options)
    return str(error.value)


# -- kinds of sources --------------------------------------------------------------------------------------------------

HELD = {  # file: kind, name of what it holds, quantity, unit, series
    "platforms/image_filter.toml": ("platform", "image filter", "t_application", "s", [""]),
    "rooflines/spmv.toml": (
        "accelerator",
        "SpMV, CSR, baseline",
        "bandwidth of a port",
        "GB/s",
        ["A", "x", "ptr", "y"],
    ),
    "opencl/vecadd.toml": ("kernel", "vector addition", "time", "cycles", [""]),
    "networks/fork_join.toml": ("network", "fork and join", "finish", "cycles", [""]),
    "networks/two_fpgas.toml": ("placed", "Placement", "finish", "s", [""]),
}


@pytest.mark.parametrize("file", HELD)
def test_an_object_and_its_file_are_the_same_subject_under_two_names(file: str) -> None:
    kind, name, quantity, unit, series = HELD[file]
    path = str(SCENARIOS / file)
    held = ppnsim.load(path)
    for source, called in ((held, name), (path, name if kind == "accelerator" else path)):
        subject = subject_of(source, [])
        assert (subject.kind, subject.name, subject.quantity, subject.unit) == (kind, called, quantity, unit)
        assert [case.series for case in subject.cases({})] == series
    if kind in ("platform", "accelerator", "kernel"):
        assert refused(subject_of, held, ["x=1"]) == (
            f"vary: the parameters of a {type(held).__name__} can only vary in a file, which is read again for each "
            "value: give its path"
        )
    if kind == "accelerator":
        assert subject_of(held.accelerator, []).name == held.accelerator.name
    if kind != "kernel":
        assert refused(subject_of, path, [], design="SM") == f"--design: {NO_DESIGN}"


def test_a_memory_goes_by_its_preset_and_as_an_object() -> None:
    for source in ("DDR4-2400", preset("DDR4-2400").dram):
        subject = subject_of(source, ["banks=1,4"])
        assert isinstance(subject, MemorySubject) and subject.dram.channels == 1
        assert (subject.kind, subject.quantity, subject.unit) == ("memory", "bandwidth", "GB/s")
        assert subject.axes[0].values == (1, 4)


def test_what_cannot_be_compared_is_refused() -> None:
    assert refused(subject_of, 3, []).startswith("a int cannot be compared with a model: give a network, ")
    words = "settings, defines can only be used with a path, which is then read with it"
    assert refused(subject_of, ppnsim.predictor(), [], settings={"n": 3}, defines={}) == words
    source = str(SCENARIOS / "kernels" / "gemm.c")
    assert refused(subject_of, source, [], design="pipeline j") == f"--design: {NO_DESIGN}"
    known = "banks (banks), concurrency (flows), "
    said = refused(subject_of, "DDR4-2400", ["bank=1"])
    assert said.startswith("--vary: 'bank' does not vary of a memory (did you mean 'banks'?) (there are ")
    said = refused(subject_of, "DDR4-2400", [])
    assert said.startswith("--vary: of a memory one thing varies at a time: ") and known.split(" ")[0] in said
    assert refused(subject_of, "DDR4-2400", ["banks=0"]) == "--vary banks: 0 is below 1"
    assert refused(subject_of, "DDR4-2400", ["banks=1.5"]) == "--vary banks: '1.5' is not a whole number"


def test_a_scheduled_kernel_is_one_with_sizes(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; i++) a[i] = i; "
    source = tmp_path / "two.c"
    source.write_text(f"void f(int n, int a[8]) {{ {loop} }}\nvoid g(int n, int a[8]) {{ {loop} }}\n", encoding="utf-8")
    asked: dict[str, Any] = {"schedule": True, "device": "xcvu9p", "clock": "4 ns"}
    assert refused(subject_of, str(source), [], **asked) == (
        "--vary: names no size of the kernel, in which formulas could be learned"
    )
    two = subject_of(str(source), ["n=4"], **asked)
    assert isinstance(two, ScheduleSubject) and (two.library.device.name, two.library.clock_ns) == ("xcvu9p", 4)
    (case,) = two.cases({"n": 4})
    assert refused(two.simulate, case) == f"{source}: holds 2 kernels: choose one with --function (f, g)"
    usual = subject_of(str(source), ["n=4"], schedule=True, function="f")
    assert isinstance(usual, ScheduleSubject) and (usual.library.device.name, usual.library.clock_ns) == ("xc7z020", 10)
    assert (usual.name, usual.kind, usual.quantity, usual.unit) == (str(source), "schedule", "schedule", "cycles")


def test_a_platform_without_stages_and_ports_without_memories_have_nothing_to_run(tmp_path: Path) -> None:
    bare = tmp_path / "bare.toml"
    bare.write_text('[node.fpga]\nkind = "fpga"\nclock = "100 MHz"\n', encoding="utf-8")
    words = "has no [stage.NAME], so there is nothing to predict or to run"
    assert refused(list, subject_of(str(bare), []).cases({})) == f"{bare}: {words}"
    file: Any = ppnsim.load(str(SCENARIOS / "rooflines" / "spmv.toml"))
    (name, *_) = [argument.name for argument in file.accelerator.arguments]
    subject = subject_of(file, [])
    (case, *_) = subject.cases({})
    told = SimpleNamespace(because="rows are opened anew")
    assert subject.causes(Difference(case, Outcome(1.0, told), "roofline", 2.0)).causes == (
        ("rows are opened anew", None),
    )
    told.because = ""
    assert subject.causes(Difference(case, Outcome(1.0, told), "roofline", 2.0)) == Why() and case.held.argument == name


def test_a_law_that_agrees_needs_no_cause() -> None:
    subject = subject_of("DDR4-2400", ["banks=1"])
    (case,) = subject.cases({"banks": 1})
    assert subject.causes(Difference(case, Outcome(case.held.law, None), "memory", case.held.law)) == Why()


# -- axes --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("n=1:3", "n", (1, 2, 3)), ("n=4:10:3", "n", (4, 7, 10)), ("n=1,2,2", "n", (1, 2)),
        (" n = 4 , x", "n", (4, "x")),
        ("n=true,false", "n", (True, False)), ("n=1.5,2", "n", (1.5, 2)), ("n=0x3", "n", ("0x3",)),
        ("a=b=c", "a", ("b=c",)), ("n=-2", "n", (-2,)), ("n=1:2,5", "n", (1, 2, 5)),
    ],
)  # fmt: skip
def test_values_of_an_axis(text: str, name: str, values: tuple[Any, ...]) -> None:
    axis = plain_axis(text)
    assert (axis.name, axis.parameter, axis.targets, axis.values) == (name, name, (), values)
    assert [type(each) for each in axis.values] == [type(each) for each in values]


@pytest.mark.parametrize("text", ["n=", "=3", "n", "n=1,,2", "n=,"])
def test_what_is_no_axis(text: str) -> None:
    assert refused(plain_axis, text) == (f"--vary {text}: is not of the form NAME=VALUES (like n=4:64 or n=4,8,16)")


def test_whole_numbers_are_whole_and_large_enough() -> None:
    check_whole_numbers(plain_axis("n=-3,0"))
    check_whole_numbers(plain_axis("n=1,2"), least=1)
    assert refused(check_whole_numbers, plain_axis("n=1,0"), least=1) == "--vary n: 0 is below 1"
    assert refused(check_whole_numbers, plain_axis("n=true")) == "--vary n: 'True' is not a whole number"
    assert refused(check_whole_numbers, plain_axis("n=a")) == "--vary n: 'a' is not a whole number"


def test_a_sweep_has_its_limits() -> None:
    network = ppnsim.chain(firings=4)
    twice = SimpleNamespace(axes=[plain_axis("n=1"), plain_axis("n=2")])
    assert refused(compare_subject, twice, []) == "--vary: names a parameter twice"
    many = SimpleNamespace(axes=[plain_axis("n=1:1001"), plain_axis("m=1:100")])
    assert refused(compare_subject, many, []) == "--vary: 100100 points are too many (at most 100000)"
    for share in (-0.01, 1.0):
        said = refused(compare_subject, subject_of(network, []), [], tolerance=share)
        assert said == f"--tolerance: {share:g} is not a share from 0 to below 1 (5 % is 0.05 or 5%)"
    told: list[tuple[int, int]] = []
    subject = subject_of(network, ["c0.depth=1,2"])
    found = compare_subject(subject, models_of([], "network"), progress=lambda *at: told.append(at))
    assert told == [(1, 2), (2, 2)] and not found.interrupted and found.simulated
    assert dict(found.axes) == {"c0.depth": (1, 2)} and found.tolerance == 0.05


# -- models ------------------------------------------------------------------------------------------------------------


def test_models_are_named_once_and_the_usual_one_is_meant() -> None:
    assert [model.name for model in models_of([], "memory")] == ["memory"]
    assert refused(models_of, [], "placed") == (
        "--model: is needed: only a Python file with a model of your own takes this"
    )
    assert refused(models_of, ["bounds", "bounds"], "network") == "--model bounds: is there twice (models go by name)"
    assert refused(model_named, "bound", "network") == (
        "--model bound: is not a model (did you mean 'bounds'?), nor a Python file FILE.py[:FUNCTION] with one of "
        "your own"
    )
    assert takers("network") == (
        "absolute, unbounded, bounds or busiest take, or a Python file with a model of your own"
    )
    named = own_model(lambda n: n, "network", name="other")
    assert (named.name, named.takes) == ("other", ("network",))
    assert named.assumes == "not said (a docstring of the function or its file can)"


def test_numbers_of_the_models_of_networks() -> None:
    """Two processes of one unit: 8 firings each; a chain of three, latencies 2, 5, 3 and intervals 1, 4, 2."""
    alone = [Process(name=name, firings=8, resource="mul") for name in "ab"]
    shared = Case(values={}, held=Network(processes=alone, channels=[], resources={"mul": 1}))
    chain = Case(values={}, held=ppnsim.chain(firings=10, ii=(1, 4, 2), latency=6, depth=50))
    found = {
        name: (NAMED[name].predict(shared), NAMED[name].predict(chain)) for name in ("absolute", "bounds", "busiest")
    }
    assert found["absolute"][1] == ppnsim.absolute(chain.held).finish
    assert found["busiest"] == (2 * 8, 9 * 4 + 8)
    assert found["bounds"][0] == 16


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no function: a model is one function, chosen as PATH:FUNCTION"),
        ("def f(): pass\ndef g(): pass", "has 2 functions (f, g): a model is one function, chosen as PATH:FUNCTION"),
        ("def _f(): pass", "has no function: a model is one function, chosen as PATH:FUNCTION"),
        (
            "from math import sqrt\nimport json\n1 / 0",
            "cannot be executed: line 3: ZeroDivisionError: division by zero",
        ),
        ("def f(:", "cannot be executed: line 1: SyntaxError: invalid syntax"),
    ],
)
def test_files_without_a_model(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    assert refused(model_in_file, str(path), "network") == f"--model {path}: {words.replace('PATH', str(path))}"


def test_a_function_of_a_file_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        'def slow(n):\n    """Waits\n    always.\n\n    More."""\n    return 2 * n\ndef fast(n): return n\n'
    )
    model = model_in_file(f"{path}:slow", "network")
    assert (model.name, model.assumes, model.predict(Case(values={"n": 3}, held=None))) == ("slow", "Waits always.", 6)
    asked = f"{path}:slov"
    assert refused(model_in_file, asked, "network") == (
        f"--model {asked}: has no function 'slov' (did you mean 'slow'?)"
    )
    assert refused(model_in_file, str(tmp_path / "no.py"), "network") == (f"--model {tmp_path / 'no.py'}: no such file")


REMEDY = (
    "; --vary gives it a value if the source has it (of C also --set and -D), else give it a default in the function"
)


def test_what_a_function_can_ask_for() -> None:
    case = Case(values={"c.depth": 2}, settings={"n": 5}, series="A", held="it")
    assert own_model(lambda **known: len(known), "network").predict(case) == 4
    assert own_model(lambda c_depth, n, series, network: (c_depth, n, series, network) == (2, 5, "A", "it") and 1,
                     "network").predict(case) == 1  # fmt: skip
    assert own_model(lambda *_, n=7, m=1: 10 * n + m, "network").predict(case) == 51
    words = "model: asks for 'c_dept', which neither varies nor is set (did you mean 'c_depth'?) (known here: c_depth, "
    assert refused(own_model(lambda c_dept: c_dept, "network").predict, case) == f"{words}network, n){REMEDY}"
    many = Case(values={f"value{number:03}": 1 for number in range(40)}, held=None)
    said = refused(own_model(lambda other: other, "network").predict, many)
    assert said.endswith(f", value018, value019, ...){REMEDY}") and "did you mean" not in said


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "True"), ("7", "'7'"), (float("inf"), "inf"), (10**400, "a whole number of 1329 bits"), (1j, "1j"),
    ],
)  # fmt: skip
def test_what_is_no_number(value: object, words: str) -> None:
    said = refused(own_model(lambda: value, "network").predict, Case(values={}, held=None))
    assert (
        said == f"model: at the source as it is: returns {words}, which is not a number (a model returns one, or None)"
    )


@pytest.mark.parametrize("value", [7, 0, Fraction(1, 3), 2.5, None])
def test_what_is_a_number_is_kept(value: Any) -> None:
    assert own_model(lambda: value, "network").predict(Case(values={}, held=None)) == value


def test_errors_of_a_model_say_their_point_and_line() -> None:
    def broken(n: int) -> int:
        return n // 0

    line = broken.__code__.co_firstlineno + 1
    said = refused(own_model(broken, "network").predict, Case(values={"n": 3}, held=None))
    assert said == f"model: at n = 3: line {line}: ZeroDivisionError: integer division or modulo by zero"

    def outside(n: int) -> int:
        raise InputError(f"{n} is outside")

    said = refused(own_model(outside, "network").predict, Case(values={"n": 3}, held=None))
    assert said == f"model: at n = 3: line {outside.__code__.co_firstlineno + 1}: 3 is outside"


def test_a_model_that_is_silent_is_a_point_only_if_it_learns() -> None:
    def refuse(_: Case) -> int:
        raise InputError("too small")

    subject = subject_of(ppnsim.chain(firings=4), ["c0.depth=1,2"])
    lost = PredictionModel(name="lost", takes=("network",), assumes="", predict=refuse)
    (found,) = compare_subject(subject, [lost]).models
    assert [(each.predicted, each.silent) for each in found.points] == [(None, "too small")] * 2
    assert found.worst is None and found.unanswered == found.points
    other = PredictionModel(name="other", takes=("network",), assumes="", predict=refuse)
    assert refused(compare_subject, subject, [other]) == "c0.depth = 1: too small"
    alone = subject_of(ppnsim.chain(firings=4), [])
    assert refused(compare_subject, alone, [other]) == "too small"


# -- networks and placements -------------------------------------------------------------------------------------------


def test_numbers_of_a_network_by_their_names() -> None:
    a, b = Process(name="a", firings=3, ii=2, latency=4), Process(name="b", firings=3)
    network = Network(
        processes=[a, b, Process(name="a_b", firings=1)],
        channels=[Channel(name="a b", source="a", target="b", depth=5, initial=1),
                  Channel(name="c", source="a", target="b")],
    )  # fmt: skip
    known = _said(network)
    assert (known["a_firings"], known["a_ii"], known["a_latency"], known["b_ii"]) == (3, 2, 4, 1)
    assert (known["a_b_depth"], known["a_b_initial"], "c_depth" in known) == (
        5,
        1,
        network.channel("c").depth is not None,
    )
    assert "a_b_firings" in known
    twice = network.replace(processes=[a, b, Process(name="a.b", firings=1), Process(name="a_b", firings=1)])
    assert "a_b_firings" not in _said(twice) and "a_b_depth" in _said(twice)


def test_a_point_that_deadlocks_is_told_as_its_run() -> None:
    subject = NetworkSubject(name="n", vary=(), network=ppnsim.fork_join(firings=20, style="frozen", short_depth=1))
    (case,) = subject.cases({})
    outcome = subject.simulate(case)
    why = subject.causes(Difference(case, outcome, "absolute", 30))
    assert outcome.value is None and not why.causes and not why.complete
    assert why.told[:-1] == tuple(line.strip() for line in str(outcome.run.deadlock).split("\n"))
    assert why.told[-1].startswith("-> ")
    done = NetworkSubject(name="n", vary=(), network=ppnsim.chain(firings=4))
    (case,) = done.cases({})
    assert done.causes(Difference(case, done.simulate(case), "mine", None)) == Why()


def test_a_model_of_ones_own_is_told_its_own_terms() -> None:
    network = ppnsim.fork_join(firings=20, short_depth=1)
    (found,) = ppnsim.compare(network, lambda: Fraction(61, 2)).models
    free = ppnsim.absolute(network).finish
    assert free is not None
    assert [(cause.words.partition(":")[0], cause.amount) for cause in found.causes] == [
        ("full FIFOs", 92 - free), ("the model itself", free - 30.5),
    ]  # fmt: skip
    assert found.causes[1].words.endswith(f"the simulation takes {free} cycles, the model says 30.5") and found.complete


def test_a_critical_path_is_told_in_two_sentences_or_why_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    done = ppnsim.run(ppnsim.fork_join(firings=20))
    assert len(list(_path(done))) == 2

    def none(_: object) -> None:
        raise InputError("too large")

    monkeypatch.setattr("ppnsim.comparison.run.network.critical_path", none)
    assert list(_path(done)) == ["no critical path: too large"]


@pytest.mark.parametrize(
    ("vary", "largest", "microseconds"),
    [
        (["across.depth=16"], "credits of the links", 20),
        (["across.packet=1"], "links: latency", 20),
        (["raw.depth=1", "filter.ii=1"], "full FIFOs", 15),
    ],
)
def test_what_separates_a_model_across_nodes_adds_up_and_names_the_cause(
    vary: list[str], largest: str, microseconds: int
) -> None:
    subject = subject_of(str(SCENARIOS / "networks" / "two_fpgas.toml"), vary)
    assert isinstance(subject, PlacedSubject)
    (case,) = subject.cases({axis.name: axis.values[0] for axis in subject.axes})
    outcome = subject.simulate(case)
    why = subject.causes(Difference(case, outcome, "mine", Fraction(microseconds, 10**6)))
    assert why.complete
    assert sum(cause.amount or 0 for cause in why.causes) == pytest.approx(
        float(outcome.value or 0) - microseconds * 1e-6
    )
    assert max(why.causes, key=lambda cause: cause.amount or 0).words.startswith(largest)
    assert why.told and ("pace" in why.told[0] or "waited for" in why.told[0])
    assert subject.causes(Difference(case, Outcome(None, None), "mine", 0)).told == (
        "the simulation deadlocks: see `ppnsim run`",
    )


def test_terms_of_ratss_beside_another_model() -> None:
    subject = subject_of(ppnsim.load(str(SCENARIOS / "platforms" / "image_filter.toml")), [])
    assert isinstance(subject, PlatformSubject)
    (case,) = subject.cases({})
    outcome = subject.simulate(case)
    ratss: Any = NAMED["ratss"].predict(case)
    own = subject.causes(Difference(case, outcome, "ratss", ratss))
    assert own.told == () and own.complete
    assert sum(cause.amount or 0 for cause in own.causes) == pytest.approx(float(outcome.value - ratss))
    other = subject.causes(Difference(case, outcome, "mine", ratss - 1))
    assert other.causes[:-1] == own.causes and other.complete
    assert other.causes[-1].words == "what separates the model from RATSS's equations"
    assert other.causes[-1].amount == pytest.approx(1)
    assert other.told[0].startswith("RATSS has ") and other.told[0].count("(Eq. ") >= 2


# -- words -------------------------------------------------------------------------------------------------------------


def point(n: Any, predicted: float | None, simulated: float | None, series: str = "") -> ComparedPoint:
    return ComparedPoint(values={"n": n}, predicted=predicted, simulated=simulated, series=series)


def test_the_error_of_a_point() -> None:
    table = {
        (90, 100): (-0.1, 10),
        (0, 0): (0, 0),
        (3, 0): (float("inf"), -3),
        (None, 4): (None, None),
        (4, None): (None, None),
    }
    for (predicted, simulated), (error, difference) in table.items():
        found = point(1, predicted, simulated)
        assert (found.error, found.difference) == (error, difference)
    assert point(1, 95, 100).within(0.05) and not point(1, 94, 100).within(0.05) and not point(1, None, 100).within(0.5)
    assert point(3, 1, 1, "A").name == "n = 3, A"


def test_statistics_of_errors() -> None:
    found = statistics([-0.4, 0.1, 0.2])
    assert found is not None and statistics([]) is None
    assert (found.points, found.largest) == (3, -0.4)
    assert (found.bias, found.absolute, found.rms) == pytest.approx((-0.1 / 3, 0.7 / 3, (0.21 / 3) ** 0.5))
    assert [percent(each) for each in (0.5, -0.0004, 0)] == ["+50 %", "-0.04 %", "0 %"]


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([(None, None)], "no point has an error (1 deadlocks, 1 without an answer)"),
        ([(3, None), (3, None)], "no point has an error (2 deadlock)"),
        ([(None, 3)], "no point has an error (1 without an answer)"),
        ([(3, 3)], "exact"),
        ([(6, 4)], "error +50 %"),
        ([(3, 3), (3, None)], "exact; over 1 of 2 points (1 deadlocks)"),
        ([(90, 100), (120, 100)], "mean |error| 15 %, rms 15.8 %, bias +5 %, largest +20 % at n = 1"),
    ],
)
def test_errors_in_a_line(points: list[tuple[float | None, float | None]], words: str) -> None:
    made = tuple(point(n, *each) for n, each in enumerate(points))
    assert error_words(ModelComparison(model="m", assumes="", points=made, regime="", worst=None)) == words


def test_rows_have_a_series_where_there_is_one() -> None:
    made = point(1, 3, 4, "A"), point(1, 5, 5)
    models = tuple(ModelComparison(model=name, assumes="", points=made, regime="", worst=None) for name in "xy")
    known: dict[str, Any] = {"source": "s", "kind": "network", "quantity": "q", "unit": "u", "axes": {"n": (1,)}}
    assert Comparison(models=models[:1], **known).rows() == [
        {
            "n": 1,
            "series": "A",
            "simulated": 4,
            "predicted.x": 3,
            "difference.x": 1,
            "error.x": -0.25,
            "outcome": "simulated",
            "unit": "u",
        },
        {
            "n": 1,
            "series": "",
            "simulated": 5,
            "predicted.x": 5,
            "difference.x": 0,
            "error.x": 0,
            "outcome": "simulated",
            "unit": "u",
        },
    ]
    assert Comparison(models=models, simulated=False, **known).rows()[0] == {
        "n": 1, "series": "A", "predicted.x": 3, "predicted.y": 3, "unit": "u",
    }  # fmt: skip


WORDS = [f"w{number}" for number in range(9)]


@pytest.mark.parametrize(
    ("values", "bad", "words"),
    [
        ([1, 2, 3, 4], {3}, "fails (beyond 5 %) at 1 of 4 points: exactly where n = 3"),
        ([1, 2, 3, 4], {3, 4}, "fails (beyond 5 %) at 2 of 4 points: exactly where n >= 3"),
        ([1, 2, 3, 4], {2, 3}, "fails (beyond 5 %) at 2 of 4 points: exactly where 2 <= n <= 3"),
        ([1, 2, 3, 4], {1, 2, 4}, "fails (beyond 5 %) at 3 of 4 points; it holds exactly where n = 3"),
        ([1, 2, 3, 4, 5], {1, 4, 5}, "fails (beyond 5 %) at 3 of 5 points; it holds exactly where 2 <= n <= 3"),
        ([1, 2, 3, 4, 5], {2, 4}, "fails (beyond 5 %) at 2 of 5 points: all where 2 <= n <= 4, where it also holds at "
         "1 point"),
        ([1, 2, 3, 4, 5], {1, 3, 5}, "fails (beyond 5 %) at 3 of 5 points, scattered over all values; most often where "
         "n = 1 (100 % of the points there)"),
        (["a", "b"], {"b"}, "fails (beyond 5 %) at 1 of 2 points: exactly where n = b"),
        (["a", "b", "c"], {"a", "c"}, "fails (beyond 5 %) at 2 of 3 points: exactly where n is a or c"),
        ([1, 2, "x"], {"x", 1}, "fails (beyond 5 %) at 2 of 3 points: exactly where n is 1 or x"),
        (WORDS, set(WORDS[:6]), "fails (beyond 5 %) at 6 of 9 points: exactly where n is w0 or w1 or w2 or w3 or w4 "
         "or w5"),
        (WORDS, set(WORDS[:8]), "fails (beyond 5 %) at 8 of 9 points: exactly where n is w0 or w1 or w2 or w3 or w4 "
         "or w5 and 2 more"),
        ([1, 2], {1, 2}, "fails (beyond 5 %) at 2 of 2 points"),
        ([1], {1}, "fails (beyond 5 %)"),
        ([1], set(), "holds within 5 %"),
        ([1, 2], set(), "holds within 5 % at all 2 points"),
    ],
)  # fmt: skip
def test_where_a_model_fails(values: list[Any], bad: set[Any], words: str) -> None:
    points = [point(each, 1, 2 if each in bad else 1) for each in values]
    assert regime(points, {"n": values}, 0.05) == words


def test_series_are_an_axis_of_their_own() -> None:
    points = [point(n, 1, 2 if series == "B" else 1, series) for n in (1, 2) for series in "AB"]
    assert regime(points, {"n": (1, 2)}, 0.125) == ("fails (beyond 12.5 %) at 2 of 4 points: exactly where series = B")
    half = [ComparedPoint(values={"n": n, "d": d}, predicted=1, simulated=2 if bad else 1)
            for n, d, bad in [(1, 1, 1), (1, 2, 1), (2, 1, 0), (2, 2, 1), (3, 1, 1), (3, 2, 0)]]  # fmt: skip
    assert regime(half, {"n": (1, 2, 3), "d": (1, 2), "k": (7,)}, 0.05) == (
        "fails (beyond 5 %) at 4 of 6 points, scattered over all values; most often where n = 1 (100 % of the "
        "points there)"
    )


# -- sizes of C sources ------------------------------------------------------------------------------------------------


def test_macros_and_parameters_of_options() -> None:
    assert said_in({}) == {}
    assert said_in({"defines": {"N": "-8", "T": "1.5", "S": "-"}, "settings": {"N": 2}}) == {
        "N": 2,
        "T": "1.5",
        "S": "-",
    }


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#if N > 4\n#endif\n", "macro"), ("#ifdef N\n#endif\n", "macro"), ("  #  elif N\n", "macro"),
        ("#ifndef N\n#define N 4\n#endif\n", "macro"), ("int N;\n", "parameter"), ("#include <N>\n", "parameter"),
        ("#define M N\n", "macro"), ("#define NN 4\n", "parameter"), ("#define N 4\n", "refused"),
    ],
)  # fmt: skip
def test_a_name_in_a_directive_is_a_macro(text: str, found: str, tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(text, encoding="utf-8")
    given = {"defines": {"K": "1"}, "settings": {"k": 2}, "other": 3}
    if found == "refused":
        said = refused(with_sizes, str(path), given, {"N": 8})
        assert said == f"{path}: its '#define N' has the last word: put it between '#ifndef N' and '#endif'"
    else:
        put = {"defines": {"K": "1", "N": "8"}} if found == "macro" else {"settings": {"k": 2, "N": 8}}
        assert with_sizes(str(path), given, {"N": 8}) == given | put
    assert with_sizes(str(path), given, {}) == given and with_sizes(str(path), given, {"K": 4})["defines"] == {"K": "4"}


def test_an_error_at_one_of_several_points_names_it() -> None:
    def simulate(_: Case) -> Outcome:
        raise PpnsimError("broke")

    for axes, where in (([plain_axis("n=1,2")], "n = 1: "), ([], "")):
        subject = SimpleNamespace(axes=axes, simulate=simulate, cases=lambda values: [Case(values=values, held=None)])
        with pytest.raises(PpnsimError) as error:
            compare_subject(subject, [])
        assert str(error.value) == f"{where}broke"
