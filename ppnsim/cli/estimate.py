"""``ppnsim estimate``: the thesis's two estimates and lower bounds, without running an engine."""

from __future__ import annotations

from typing import Annotated, Any

from ppnsim.cli.common import DEADLOCK, for_each_file
from ppnsim.cli.options.groups import Without
from ppnsim.cli.options.network import Files, NetworkOptions
from ppnsim.cli.options.outputs import Json, console
from ppnsim.library.estimate import estimate


def estimate_command(
    files: Files, *, options: Annotated[NetworkOptions, Without("convention")], json: Json = None
) -> None:
    """Estimate throughput analytically, for comparison with a run.

    Absolute: one process per statement and FIFOs that never fill, the limit of the design as it stands. Unbounded: a
    process per firing, the limit of its data dependences. The bounds say why no run can be faster. Depths have no
    influence.

    Example:

      ppnsim estimate scenarios/networks/predictor.toml

      ppnsim estimate scenarios/kernels/predictor.c --latency 3
    """
    terminal = console(json)

    def work(file: str) -> tuple[dict[str, Any], int]:
        # Whatever depths count, they do not enter; credits of convention sdf3 would enter as data.
        found = estimate(options.load_plain(file))
        found.print(terminal)
        return found.to_dict(), DEADLOCK if found.absolute.finish is None else 0

    for_each_file(files, json, work)
