"""What the page shows that it does not make itself: runs of a large network made before, figures of matplotlib."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ppnsim.engines.evaluate import Evaluator
from ppnsim.errors import PpnsimError
from ppnsim.model.run import Run

_FACTORS = (0.25, 0.5, 2.0, 4.0)  # of the declared depths


def depths_section(run: Run) -> dict[str, Any]:
    """Return the runs with other depths, for a slider."""
    notes = [f"{run.network.events} firings and tokens are too many for this page: the slider shows runs made before"]
    try:
        return {"title": "Other depths", "notes": notes, "steps": depth_steps(run)}
    except PpnsimError as error:
        return {"title": "Other depths", "notes": [*notes, str(error)]}


def depth_steps(run: Run) -> list[list[str | int | None]]:
    """Return ``[depths, finish]`` with the declared depths scaled, as they are, and with unbounded FIFOs.

    A scaled depth is at least 1, and holds the initial tokens; the finish is None after a deadlock.

    Examples
    --------
    >>> from ppnsim import chain, run
    >>> [each[1] for each in depth_steps(run(chain(firings=100, depth=4)))]
    [211, 112, 112, 112, 112, 112]
    """
    trial, channels = Evaluator(run.network), run.network.written.channels
    steps: list[list[str | int | None]] = [["as in the file", run.finish]]
    for factor in _FACTORS:
        depths = {
            each.name: None if each.depth is None else max(1, each.initial, int(each.depth * factor))
            for each in channels
        }
        steps.append([f"times {factor:g}", trial.finish(depths)])
    before = sum(factor < 1 for factor in _FACTORS)
    steps = [*steps[1 : before + 1], steps[0], *steps[before + 1 :]]
    return [*steps, ["unbounded", trial.finish({each.name: None for each in channels})]]


def data_uri(figure: Any) -> str:
    """Return a figure of matplotlib as a data URI of a PNG picture."""
    from ppnsim.plots.save import save

    with TemporaryDirectory() as folder:
        content = save(figure, Path(folder) / "picture.png", dpi=80).read_bytes()
    return f"data:image/png;base64,{b64encode(content).decode()}"
