"""Platforms beside models of the time that their application takes; RATSS's equations say which assumption fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ppnsim.comparison.laws.case import Case
from ppnsim.comparison.model import Cause, Setting
from ppnsim.comparison.run.subject import Difference, Outcome, Why, plain_axis
from ppnsim.errors import InputError
from ppnsim.explore.sweep.parameters import Axis
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.laws.difference import reasons
from ppnsim.platform.laws.prediction import predict
from ppnsim.platform.run.application import run_platform

_TOTAL = "t_application"


@dataclass(kw_only=True)
class PlatformSubject:
    """A platform with an application; ``load`` reads it with other values of its keys."""

    name: str
    vary: Sequence[str]
    load: Callable[[dict[str, Any]], PlatformFile]
    settings: Mapping[str, Setting] = field(default_factory=dict)
    kind: str = "platform"
    quantity: str = _TOTAL
    unit: str = "s"
    axes: Sequence[Axis] = field(init=False)

    def __post_init__(self) -> None:
        self.axes = [plain_axis(text) for text in self.vary]

    def cases(self, values: dict[str, Setting]) -> Iterable[Case]:
        """Return the one case of a point."""
        given = self.load(dict(values))
        if given.application is None:
            raise InputError("has no [stage.NAME], so there is nothing to predict or to run", where=self.name)
        yield Case(values=values, settings=self.settings, held=given)

    def simulate(self, case: Case) -> Outcome:
        """Simulate the application."""
        done = run_platform(case.held.system, case.held.application)
        return Outcome(done.times[_TOTAL], done)

    def causes(self, at: Difference) -> Why:
        """Return the assumptions of RATSS that fail; of another model as well what separates it from RATSS.

        They are no causes where RATSS is further away than the model, which then seems to know of them.
        """
        system, application = at.case.held.system, at.case.held.application
        try:
            found = predict(system, application)
        except InputError as reason:
            return Why(told=(f"RATSS gives no reasons here: {reason}",))
        formula = found.quantities()
        why = reasons(system, application, formula, at.outcome.run.times)[_TOTAL]
        causes = [Cause(each.assumption, float(each.seconds)) for each in why]
        apart = None if at.predicted is None else Fraction(at.outcome.value or 0) - Fraction(at.predicted)
        rest = Fraction(0) if at.predicted is None else formula[_TOTAL] - Fraction(at.predicted)
        if apart is not None and abs(rest) > abs(apart):
            words = "the model itself, which is nearer to the simulation than RATSS's equations"
            causes = [Cause(words, float(apart))]
        elif rest:
            causes.append(Cause("what separates the model from RATSS's equations", float(rest)))
        shown = (".t_comp", ".t_comm", ".t_stage")
        terms = [f"{each.name} {float(each.seconds):.6g} s ({each.equation})" for each in found.terms
                 if each.name.endswith(shown)]  # fmt: skip
        told = () if at.model == "ratss" else (f"RATSS has {', '.join(terms)}",)
        return Why(tuple(causes), True, told)
