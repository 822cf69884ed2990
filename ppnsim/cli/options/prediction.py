"""The options that all commands with predictions have: for several values, and beside a simulation."""

from __future__ import annotations

from typing import Annotated

import typer

Vary = Annotated[
    list[str],
    typer.Option(
        "--vary", metavar="NAME=VALUES",
        help="Predict for each value of a parameter (n=4:64, n=4,8,16); may be repeated: all combinations.",
    ),
]  # fmt: skip
Simulate = Annotated[
    bool,
    typer.Option("--simulate", help="Simulate too: predicted, simulated, their difference and what causes it."),
]
