"""``ppnsim run`` of a network across nodes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppnsim.cli.common import DEADLOCK, progress
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from ppnsim.cli.run import StyleName
    from ppnsim.placed.model.placement import Placement
    from ppnsim.placed.run.record import PlacedRun


def load_placement(file: str) -> Placement | None:
    """Return the placement in a TOML file, None for any other file.

    Raises
    ------
    InputError
        If it is one, but not a good one; the message names the file.
    """
    if Path(file).suffix != ".toml" or not Path(file).is_file():
        return None
    from ppnsim.formats.decode import DecodeError, decode_toml, read_text
    from ppnsim.placed.files.toml import is_placed, parse_placement

    try:
        data = decode_toml(read_text(Path(file)))
    except (DecodeError, InputError):
        return None  # whoever reads it next says what is wrong
    if not is_placed(data):
        return None
    try:
        return parse_placement(data, name=Path(file).stem)
    except InputError as error:
        raise InputError("\n".join(f"{file}: {line}" for line in str(error).split("\n"))) from None


def changed_placement(
    placement: Placement, style: StyleName | None, depth: list[str], only: Mapping[str, object]
) -> Placement:
    """Return the placement with the style and the depths of the command line.

    Raises
    ------
    InputError
        If one of the options ``only`` for networks by themselves is given.
    """
    from dataclasses import replace

    from ppnsim.cli.run import changed

    for option, value in only.items():
        if value:
            raise InputError("is for networks by themselves, and this one is placed on nodes", where=option)
    return replace(placement, network=changed(placement.network, style, depth))


def run_placement(
    terminal: Console, file: str, placement: Placement, folder: Path | None, suffix: str
) -> tuple[dict[str, Any], int]:
    """Run a placement, print what it did, and return its result and exit code."""
    from ppnsim.placed.report.run import placed_result, print_placed
    from ppnsim.placed.run.network import run_placed

    began = time.perf_counter()
    with progress(placement.network.name) as report:
        outcome = run_placed(placement, progress=report)
    result = placed_result(outcome, file=file)
    print_placed(terminal, outcome, result, seconds=time.perf_counter() - began)
    if folder is not None:
        _write(outcome, result, folder, suffix)
        terminal.print(f"written to {folder}", markup=False)
    return result, 0 if outcome.finish is not None else DEADLOCK


def _write(outcome: PlacedRun, result: dict[str, Any], folder: Path, suffix: str) -> None:
    from ppnsim.cli.common import write_json, written_to
    from ppnsim.placed.pictures.time import placed_figure
    from ppnsim.placed.report.csv import write_messages
    from ppnsim.plots.save import save

    words = result["binds"]["sentence"] if result["binds"] else ""
    with written_to(folder):
        write_json(result, str(folder / "result.json"))
        write_messages(outcome.messages, folder / "messages.csv")
        save(placed_figure(outcome, words), folder / f"nodes.{suffix}")
