"""What RATSS's equations leave out, term by term: the simulated time minus the equation's, exactly."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ppnsim.platform.laws.prediction import predict
from ppnsim.platform.model.stages import Application
from ppnsim.platform.model.system import System
from ppnsim.platform.run.application import run_platform
from validation.harness.rows import Row
from validation.ratss.cells import DIGITS, six
from validation.ratss.examples import image_filter, molecular_dynamics, pdf_estimation

_RULES = "messages/RULES.md, L4.2"
_BUS = "platform/RULES.md, P1.2"
_OURS = "a difference that our rule book derives, against our simulation"


def term_rows() -> list[Row]:
    """Return the differences that the rule books derive (L4.2, P1.2)."""
    rows = []
    for nodes in (2, 4, 8):
        system, application = pdf_estimation(nodes)
        link, rounds = system.networks[0], nodes.bit_length() - 1
        expected = Fraction(2 * link.overhead * (rounds - 1) - link.per_byte * rounds)
        rows.append(
            _row(f"scatter, {nodes} nodes: 2o (log2 P - 1) - G log2 P", expected, _alone(system, application, 0))
        )
    for name, case, receivers in (("image filter", image_filter, 2), ("molecular dynamics", molecular_dynamics, 4)):
        system, application = case()
        snap = system.networks[0]
        expected = Fraction(snap.gap * (receivers - 1) - snap.per_byte * receivers)
        rows.append(_row(f"SNAP, {name}: g (P - 1) - G P", expected, _alone(system, application, 0)))
    return rows + _bus_rows()


def _alone(system: System, application: Application, transfer: int) -> Fraction:
    """Return simulated minus predicted of one input of a stage, run with nothing else."""
    stage = application.stages[0]
    only = replace(stage, inputs=(stage.inputs[transfer],), outputs=())
    alone = replace(application, stages=(only,))
    name = f"{stage.name}.{stage.inputs[transfer].name}"
    return run_platform(system, alone).times[name] - predict(system, alone).quantities()[name]


def _row(what: str, expected: Fraction, ours: Fraction) -> Row:
    return Row(
        group="what the equations leave out",
        what=what,
        source=_RULES,
        printed=str(expected),
        ours=ours,
        unit="s",
        consistent=_OURS,
    )


def _bus_rows() -> list[Row]:
    system, application = pdf_estimation(2)
    run, formula = run_platform(system, application).times, predict(system, application).quantities()
    more = {name: (run[f"estimate.{name}"] / formula[f"estimate.{name}"] - 1) * 100 for name in ("write X", "read")}
    return [
        Row(
            group="what the equations leave out", what=f"{name} of 2D-PDF, L + o paid for each block instead of once",
            source=_BUS, printed=printed, ours=six(more[name]), unit="% more", allowed=DIGITS, consistent=_OURS,
        )
        for name, printed in (("write X", "16.1"), ("read", "1.3"))
    ]  # fmt: skip
