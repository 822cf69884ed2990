"""The options that all commands with predictions have: for several values, and beside a simulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from ppnsim.comparison.run import subject

Estimated = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...", show_default=False,
        help="Networks (TOML, network JSON, SDF3 XML, C, C++, run_hls.tcl, hls_config.cfg), or platforms.",
    ),
]  # fmt: skip

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


def values_of(vary: Sequence[str]) -> dict[str, list[Any]]:
    """Return the values of each parameter that varies; one that is named twice has the values of both.

    Examples
    --------
    >>> values_of(["n=2:4", "n=9", "node.fpga.clock=100 MHz"])
    {'n': [2, 3, 4, 9], 'node.fpga.clock': ['100 MHz']}
    """
    asked: dict[str, list[Any]] = {}
    for axis in map(subject.plain_axis, vary):
        asked.setdefault(axis.name, []).extend(axis.values)
    return asked
