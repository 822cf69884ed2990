"""The entries of a page: what a path or an object holds, run and told for ``ppnsim.report``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.export.window import WindowLike
from ppnsim.files import load
from ppnsim.hls.project.suffixes import is_source
from ppnsim.library.applications import application_of
from ppnsim.library.subject import Depths, NetworkFile, NetworkLike, network_file
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.page.build import told_of
from ppnsim.page.placed import placed_told
from ppnsim.page.platform import platform_told
from ppnsim.page.sections import Origin, with_ends, with_source
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.run.network import run_placed
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.run.application import run_platform
from ppnsim.source_networks.model import SourceNetwork

Shown = NetworkLike | Run | Placement | PlatformFile


def entry_of(held: object, origin: Origin, window: WindowLike | None = None) -> dict[str, Any]:
    """Run what is held and return it as an entry of a page, whose pictures over time begin with a window.

    Raises
    ------
    InputError
        If it is a platform without an application, or the window shows nothing of the run.
    """
    if isinstance(held, PlatformFile | Placement):
        return _on_nodes(held, origin, window)
    if isinstance(held, Run):
        return told_of(held, origin=origin, window=window)
    assert isinstance(held, NetworkFile)
    outcome = run(held.network, on_deadlock="return")
    if held.source is None:
        return told_of(outcome, origin=origin, window=window)
    told = told_of(outcome, origin=with_source(held.source, origin), window=window)
    return with_ends(told, held.source, outcome)


def _on_nodes(held: PlatformFile | Placement, origin: Origin, window: WindowLike | None) -> dict[str, Any]:
    if window is not None and not isinstance(window, str):
        raise InputError(f"window = {window!r} has no unit, and there are several clocks: give times ('1us:2us')")
    if isinstance(held, Placement):
        return placed_told(run_placed(held), origin=origin, window=window)
    application = application_of(held, origin.file)
    done = run_platform(held.system, application)
    return platform_told(held.system, application, done, origin=origin, window=window)


def entry_in(
    shown: Any, *, depths: Depths | None = None, style: str | None = None, window: WindowLike | None = None,
    **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Run what is shown, also by a path, and return it as an entry of a page (see `ppnsim.report`)."""
    held, origin = shown, Origin(file="(in Python)")
    if isinstance(shown, str | Path):
        origin = Origin(file=str(shown), content=Path(shown).read_bytes() if Path(shown).is_file() else b"")
        if not is_source(shown):
            held, options = load(str(shown), "Network", "PlatformFile", "Placement", **options), {}
    if isinstance(held, Run | Placement | PlatformFile):
        if depths is not None or style is not None:
            raise InputError("depths and style can only be used with networks that are not placed on nodes")
        return entry_of(held, origin, window)
    assert isinstance(held, Network | SourceNetwork | NetworkFile | str | Path)
    return entry_of(network_file(held, depths=depths, style=style, **options), origin, window)
