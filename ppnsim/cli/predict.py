"""``ppnsim predict`` and ``ppnsim compare``: RATSS's equations, alone and beside a simulation."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Any

import typer

from ppnsim.cli.common import Json, console, for_each_file
from ppnsim.errors import InputError

Cases = Annotated[list[str], typer.Argument(metavar="FILE...", help="Platform TOML with stages.", show_default=False)]
Vary = Annotated[
    list[str],
    typer.Option(
        "--vary", metavar="PATH=V1,V2,...", help="Predict for each of these values of a key; may be repeated."
    ),
]


def predict_command(files: Cases, vary: Vary = [], json: Json = None) -> None:  # noqa: B006
    """Predict an application on a platform with RATSS's equations, without simulating it.

    Every node, transfer, stage and the whole, each with its equation (Holland et al. 2011, Eq. 1-30). --vary predicts
    for several values of any key of the file or of its preset.

    Examples:

      ppnsim predict scenarios/platforms/pdf_2_nodes.toml

      ppnsim predict scenarios/platforms/pdf_2_nodes.toml --vary "node.fpga.clock=100 MHz,150 MHz,195 MHz"

      ppnsim predict scenarios/platforms/pdf_2_nodes.toml --vary node.cpu.count=2,4,8 --json -
    """
    terminal = console(json)
    ways = [dict(choice) for choice in product(*map(values_of, vary))]

    def work(file: str) -> tuple[dict[str, Any] | list[dict[str, Any]], int]:
        from ppnsim.analysis.ratss_prediction import predict
        from ppnsim.cli.platform_cases import load_case
        from ppnsim.report.platform import prediction_result, print_prediction

        results = []
        for changes in ways:
            system, application = load_case(file, changes)
            prediction = predict(system, application)
            words = ", ".join(f"{key} = {value}" for key, value in changes.items())
            print_prediction(terminal, prediction, title=f"{system.name}   {words}".rstrip())
            results.append(prediction_result(prediction, file=file, changes=changes))
        return (results if vary else results[0]), 0

    for_each_file(files, json, work, as_list=bool(vary))


def compare_command(files: Cases, json: Json = None) -> None:
    """Predict and simulate, and lay the two side by side, term by term.

    Under each term stands which assumption of its equation does not hold and what that costs. JSON: predicted,
    simulated and difference, each in seconds by name of the term, and reasons, whose seconds add up to the difference.

    Example:

      ppnsim compare scenarios/platforms/image_filter.toml
    """
    terminal = console(json)

    def work(file: str) -> tuple[dict[str, Any], int]:
        from ppnsim.analysis.ratss_difference import reasons
        from ppnsim.analysis.ratss_prediction import predict
        from ppnsim.cli.platform_cases import load_case, simulated
        from ppnsim.report.platform import comparison_result, print_comparison

        system, application = load_case(file)
        formula = predict(system, application).quantities()
        run = simulated(system, application)
        result = comparison_result(formula, run.times, reasons(system, application, formula, run.times), file=file)
        print_comparison(terminal, result, title=system.name)
        return result, 0

    for_each_file(files, json, work)


def values_of(option: str) -> list[tuple[str, Any]]:
    """Return (path, value) for each value of a ``--vary``; numbers and true or false are read as such.

    Examples
    --------
    >>> values_of("node.fpga.clock=100 MHz,195 MHz"), values_of("node.cpu.count=2,4")
    ([('node.fpga.clock', '100 MHz'), ('node.fpga.clock', '195 MHz')], [('node.cpu.count', 2), ('node.cpu.count', 4)])
    """
    path, equals, values = option.partition("=")
    if not equals or not path.strip() or not all(each.strip() for each in values.split(",")):
        raise InputError(f"'{option}' is not PATH=V1,V2,... with keys joined by dots", where="--vary")
    return [(path.strip(), _value(each.strip())) for each in values.split(",")]


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
