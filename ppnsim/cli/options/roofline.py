"""What ``ppnsim roofline`` draws, from a TOML file or a C source and the options that go with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from ppnsim.boards.default import CLOCK, DEVICE
from ppnsim.cli.options import completed
from ppnsim.roofline.default import MEMORY, QUANTA, Metric

DEFAULTS = {"--device": DEVICE, "--clock": CLOCK, "--memory": MEMORY, "--quanta": str(QUANTA)}
"""Defaults for a C source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceleratorOptions:
    """What the command line says of the accelerator of a C source; None where it does not."""

    device: Annotated[
        str | None,
        typer.Option(
            "--device",
            metavar="NAME",
            autocompletion=completed.boards,
            show_default=DEFAULTS["--device"],
            help="Of a C source: board or device, or a table of your own (.toml).",
        ),
    ] = None
    clock: Annotated[
        str | None,
        typer.Option("--clock", metavar="TIME", help="Of a C source: clock.", show_default=DEFAULTS["--clock"]),
    ] = None
    memory: Annotated[
        str | None,
        typer.Option(
            "--memory", metavar="PRESET", autocompletion=completed.memories, show_default=DEFAULTS["--memory"],
            help="Of a C source: memory (ppnsim memory lists them), if the board has none.",
        ),
    ] = None  # fmt: skip
    quanta: Annotated[
        int | None,
        typer.Option(
            "--quanta", metavar="BYTES", show_default=DEFAULTS["--quanta"],
            help="Of a C source: bytes per cycle of every port.",
        ),
    ] = None  # fmt: skip
    metric: Annotated[
        Metric,
        typer.Option("--metric", help="Of a C source: what performance counts."),
    ] = "auto"
