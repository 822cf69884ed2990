"""``ppnsim predict``: RATSS's equations, without a simulation."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.outputs import Json, console
from ppnsim.cli.runners.platform import Cases
from ppnsim.comparison.run.subject import plain_axis
from ppnsim.library.predict import predict

Vary = Annotated[
    list[str],
    typer.Option(
        "--vary", metavar="PATH=V1,V2,...",
        help="Predict for each of these values of a key, or FIRST:LAST:STEP; may be repeated: each with each.",
    ),
]  # fmt: skip


def predict_command(files: Cases, vary: Vary = [], json: Json = None) -> None:  # noqa: B006
    """Predict an application on a platform with RATSS's equations, without simulating it.

    Every node, transfer, stage and the whole, each with its equation (Holland et al. 2011, Eq. 1-30). --vary predicts
    for several values of any key of the file or of its preset, a row for each; whole numbers may be ranges with both
    ends, and transfers go by name. The JSON then has a list points,
    each with all its terms.

    Examples:

      ppnsim predict scenarios/platforms/pdf_2_nodes.toml

      ppnsim predict scenarios/platforms/pdf_2_nodes.toml --vary "node.fpga.clock=100 MHz,150 MHz,195 MHz"

      ppnsim predict scenarios/platforms/pdf_2_nodes.toml --vary node.cpu.count=2,4,8 --json -

      ppnsim predict scenarios/platforms/image_filter.toml --vary "stage.filter.input.broadcast.bytes=1 MiB,4 MiB"
    """
    terminal = console(json)
    asked: dict[str, list[Any]] = {}
    for axis in map(plain_axis, vary):
        asked.setdefault(axis.name, []).extend(axis.values)

    def work(file: str) -> tuple[dict[str, Any], int]:
        found = predict(file, vary=asked)
        found.print(terminal)
        return found.to_dict(), 0

    for_each_file(files, json, work)
