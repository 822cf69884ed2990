"""Why simulation and prediction differ, of made-up figures: what is told where a cause is missing."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace as Of
from typing import Any

import pytest

from ppnsim.analysis.lost_cycles import CycleSplit
from ppnsim.comparison.laws.case import Case
from ppnsim.comparison.run import kernels, platform
from ppnsim.comparison.run.kernels import OpenclSubject, ScheduleSubject
from ppnsim.comparison.run.memory import PortSubject
from ppnsim.comparison.run.placed import PlacedSubject
from ppnsim.comparison.run.platform import PlatformSubject
from ppnsim.comparison.run.subject import Difference, Outcome
from ppnsim.errors import InputError
from ppnsim.opencl.difference import OVERLAPS


def made(kind: type, **fields: Any) -> Any:
    """Return a subject without what it is read from."""
    subject: Any = object.__new__(kind)
    for name, value in fields.items():
        setattr(subject, name, value)
    return subject


def difference(
    value: Any, predicted: Any, run: Any = None, held: Any = None, model: str = "own", ask: Any = None
) -> Difference:
    return Difference(Case(values={}, held=held), Outcome(value, run), model, predicted, ask)


def test_a_placed_network_that_deadlocks_or_is_not_predicted_has_no_cause() -> None:
    subject = made(PlacedSubject)
    assert subject.causes(difference(None, 3)) == ((), False, ("the simulation deadlocks: see `ppnsim run`",))
    assert subject.causes(difference(5, None)) == ((), False, ())


def test_ratss_that_gives_no_reasons_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Any:
        raise InputError("no equation covers this")

    monkeypatch.setattr(platform, "predict", refuse)
    held = Of(system=None, application=None)
    found = made(PlatformSubject).causes(difference(5, 3, held=held))
    assert found == ((), False, ("RATSS gives no reasons here: no equation covers this",))


@pytest.mark.parametrize(
    ("simulated", "predicted", "model", "causes"),
    [
        (10, 7, "ratss", [("bus", 2.0), ("what separates the model from RATSS's equations", 1.0)]),
        (10, 8, "ratss", [("bus", 2.0)]),  # RATSS says 8
        (10, 9, "own", [("bus", 2.0), ("what separates the model from RATSS's equations", -1.0)]),  # as far as RATSS
        (10, 9.5, "own", [("the model itself, which is nearer to the simulation than RATSS's equations", 0.5)]),
        (10, None, "own", [("bus", 2.0)]),
        (0, 1, "own", [("the model itself, which is nearer to the simulation than RATSS's equations", -1.0)]),
    ],
)
def test_a_model_nearer_than_ratss_is_no_matter_of_its_assumptions(
    simulated: int, predicted: Any, model: str, causes: list[tuple[str, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    terms = [Of(name=name, seconds=Fraction(8), equation="Eq. 1") for name in ("s.t_comp", "s.t_other")]
    told = Of(quantities=lambda: {platform._TOTAL: Fraction(8)}, terms=terms)
    monkeypatch.setattr(platform, "predict", lambda *_: told)
    why = {platform._TOTAL: [Of(assumption="bus", seconds=Fraction(2))]}
    monkeypatch.setattr(platform, "reasons", lambda *_: why)
    at = difference(simulated, predicted, run=Of(times={}), held=Of(system=None, application=None), model=model)
    found = made(PlatformSubject).causes(at)
    assert [(each.words, each.amount) for each in found.causes] == causes
    assert (found.complete, found.told) == (True, () if model == "ratss" else ("RATSS has s.t_comp 8 s (Eq. 1)",))


def test_a_port_names_its_limit_or_what_the_roofline_says() -> None:
    subject = made(PortSubject)
    held = Of(argument="x", accelerator=Of(arguments=[Of(name="y", pattern="random"), Of(name="x", pattern="stream")]))
    for because, own, other in (
        ("", [], "the roofline says 12.5 GB/s (accesses: stream), as the simulation does"),
        ("banks conflict", ["banks conflict"], "the roofline says 12.5 GB/s (accesses: stream): banks conflict"),
    ):
        run = Of(because=because, ceiling=12.5)
        found = subject.causes(difference(9, 10, run=run, held=held))
        assert [(each.words, each.amount) for each in found.causes] == [(words, None) for words in own]
        assert subject.causes(difference(9, 10, run=run, held=held, ask=lambda _: 1)) == ((), False, (other,))


def test_the_lost_cycles_of_a_schedule_are_its_causes_part_by_part() -> None:
    scheduled = CycleSplit(useful=10, initialisation=2, memory=0, control=3)
    known = CycleSplit(useful=10, initialisation=1, memory=0, control=5)
    subject = made(ScheduleSubject, _model=Of(at=lambda _: known))
    at = difference(15, 16, run=scheduled, held=Of(sizes={"n": 3}), model="lost")
    found = subject.causes(at)
    assert [(each.words, each.amount) for each in found.causes] == [
        ("initialisation cycles: scheduled 2, by formula 1", 1), ("control cycles: scheduled 3, by formula 5", -2)
    ]  # fmt: skip
    assert found.complete
    words = "the 15 cycles of the schedule are 10 useful, 2 initialisation, 3 control"
    for other in (at._replace(model="own"), at._replace(predicted=None)):
        assert subject.causes(other) == ((), False, (words,))


def test_formulas_that_cannot_be_learned_are_refused_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def refuse(*given: Any) -> Any:
        asked.append(given[3])
        raise InputError("the sizes are too few")

    monkeypatch.setattr(kernels, "learned", refuse)
    subject = made(
        ScheduleSubject, _model=None, axes=[Of(name="n")], program=None, library=None, design=None, bounds=()
    )
    for _ in range(2):
        with pytest.raises(InputError, match=r"^the sizes are too few$"):
            subject._predicted({"n": 3})
    assert asked == [["n"]]  # learned once


def test_a_kernel_that_overlaps_more_than_predicted_has_no_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "applied", lambda *_: None)
    monkeypatch.setattr(kernels, "costs", lambda *_: [("banks", 3)])
    held = Of(kernel=None, board=None), None
    subject = made(OpenclSubject)
    assert subject.causes(difference(9, 10, run=Of(cycles=9), held=held)) == ((), False, (OVERLAPS,))
    for predicted in (9, 8, None):
        found = subject.causes(difference(9, predicted, run=Of(cycles=9), held=held))
        assert [(each.words, each.amount) for each in found.causes] == [("banks", 3)]
