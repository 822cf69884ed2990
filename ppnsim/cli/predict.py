"""``ppnsim predict``: RATSS's equations, without a simulation."""

from __future__ import annotations

from itertools import chain
from typing import Annotated, Any

import typer

from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.outputs import Json, console
from ppnsim.cli.runners.platform import Cases
from ppnsim.errors import InputError
from ppnsim.explore.sweep.parameters import numbers
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
    ends, and transfers go by name. The JSON then has
    a list points, each with all its terms.

    Examples:

      ppnsim predict scenarios/platforms/pdf_2_nodes.toml

      ppnsim predict scenarios/platforms/pdf_2_nodes.toml --vary "node.fpga.clock=100 MHz,150 MHz,195 MHz"

      ppnsim predict scenarios/platforms/pdf_2_nodes.toml --vary node.cpu.count=2,4,8 --json -

      ppnsim predict scenarios/platforms/image_filter.toml --vary "stage.filter.input.broadcast.bytes=1 MiB,4 MiB"
    """
    terminal = console(json)
    asked: dict[str, list[Any]] = {}
    for key, value in chain.from_iterable(map(values_of, vary)):
        asked.setdefault(key, []).append(value)

    def work(file: str) -> tuple[dict[str, Any], int]:
        found = predict(file, vary=asked)
        found.print(terminal)
        return found.to_dict(), 0

    for_each_file(files, json, work)


def values_of(option: str) -> list[tuple[str, Any]]:
    """Return (path, value) for each value of a ``--vary``; numbers, ranges and booleans become Python values.

    Examples
    --------
    >>> values_of("node.fpga.clock=100 MHz,195 MHz"), values_of("node.cpu.count=2:4:2")
    ([('node.fpga.clock', '100 MHz'), ('node.fpga.clock', '195 MHz')], [('node.cpu.count', 2), ('node.cpu.count', 4)])
    """
    path, equals, values = (part.strip() for part in option.partition("="))
    words = [each.strip() for each in values.split(",")]
    if not equals or not path or not all(words):
        raise InputError(f"'{option}' is not PATH=V1,V2,... with keys joined by dots", where="--vary")
    ranges = [numbers(word, f"--vary {option}") if ":" in word else [_value(word)] for word in words]
    return [(path, value) for values in ranges for value in values]


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
