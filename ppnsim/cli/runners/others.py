"""``ppnsim run`` of what is not a network: networks across nodes, platforms, messages, flows, memories, executions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from ppnsim.cli.common import DEADLOCK, progress
from ppnsim.cli.options.network import OF_PLACED
from ppnsim.cli.runners.request import RunRequest
from ppnsim.hls.native.execute import TimedDesign
from ppnsim.library.others import EVERY, simulated
from ppnsim.placed.model.placement import Placement

_EXECUTION = ("--testbench", "--function", "-D", "-I", "--device", "--clock", "--time-limit", "--trace", "--depth",
              "--depths")  # fmt: skip


class _Kind(NamedTuple):
    """What messages call a kind of file, which runs in SimPy unless ``compiled``, its unit of progress, its options."""

    words: str
    engine_words: str
    unit: str
    options: tuple[str, ...] = ()
    compiled: bool = False


_KINDS = {
    "Placement": _Kind(
        "a network placed on nodes", "networks placed on nodes", "firings",
        (*OF_PLACED, "--window"),
    ),
    "PlatformFile": _Kind("a platform", "platforms", "stages", ("--window",)),
    "Messages": _Kind("messages between ranks", "message schedules", "operations", ("--window",)),
    "Flows": _Kind("flows that share links", "flows", "flows"),
    "MemoryFile": _Kind("a memory and its traffic", "memories", "requests", compiled=True),
    "TimedDesign": _Kind(
        "a design whose tasks are executed in time", "designs that are executed", "firings", _EXECUTION
    ),
}  # fmt: skip


def run(held: object, request: RunRequest) -> tuple[dict[str, Any], int]:
    """Run what a file holds, print the result, and write it to a folder if there is one."""
    kind = _KINDS[type(held).__name__]
    request.refuse_network_options(kind.words, but=kind.options)
    if not kind.compiled:
        request.refuse_compiled(kind.engine_words)
    more: dict[str, Any] = {}
    if isinstance(held, Placement):
        held = replace(held, network=request.options.changed(held.network))
    if isinstance(held, TimedDesign):
        for_all, by_name = request.options.depths_asked()
        more["depths"] = by_name | ({EVERY: for_all[-1]} if for_all else {})
    with progress(request.file, kind.unit) as report:
        found = simulated(held, file=request.file, engine=request.engine, progress=report, **more)
    found.print(request.terminal)

    page = found.page is not None
    request.write(found.to_dict(), lambda folder: found.fill(folder, window=request.window), page=page)
    request.draw(lambda: found.pictures_in(request.window))
    return found.to_dict(), DEADLOCK if found.deadlocked else 0
