"""``ppnsim compare``: RATSS's equations beside a simulation."""

from __future__ import annotations

from typing import Any

from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.outputs import Json, console
from ppnsim.cli.runners.platform import Cases, application_of, simulated
from ppnsim.files import load_as
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.laws.difference import reasons
from ppnsim.platform.laws.prediction import predict
from ppnsim.platform.report.application import comparison_result, print_comparison


def compare_command(files: Cases, json: Json = None) -> None:
    """Predict and simulate, and lay the two side by side, term by term.

    Under each term stands the assumption of its equation that does not hold, with its cost. JSON: predicted,
    simulated and difference, each in seconds by name of the term, and reasons, whose seconds add up to the difference.

    Example:

      ppnsim compare scenarios/platforms/image_filter.toml
    """
    terminal = console(json)

    def work(file: str) -> tuple[dict[str, Any], int]:
        given = load_as(file, PlatformFile)
        system, application = given.system, application_of(given, file)
        formula = predict(system, application).quantities()
        run = simulated(system, application)
        why = reasons(system, application, formula, run.times)
        print_comparison(terminal, formula, run.times, why, title=system.name)
        return comparison_result(formula, run.times, why, file=file), 0

    for_each_file(files, json, work)
