"""``ppnsim.report``: one HTML page that shows runs and plays them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.export.place import replacing
from ppnsim.files import load
from ppnsim.library.applications import application_of
from ppnsim.library.place import Place
from ppnsim.library.subject import Depths, NetworkFile, NetworkLike, is_source, network_file
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.page.build import page_of, told_of
from ppnsim.page.notebook import ShownFile
from ppnsim.page.placed import placed_told
from ppnsim.page.platform import platform_told
from ppnsim.page.sections import Origin
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.run.network import run_placed
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.run.application import run_platform
from ppnsim.source_networks.model import SourceNetwork, line_of

Shown = NetworkLike | Run | Placement | PlatformFile


def report(
    shown: Shown | Sequence[Shown], out: Place, *, depths: Depths | None = None, style: str | None = None,
    **options: Any,
) -> ShownFile:  # fmt: skip
    """Write one HTML page that shows runs and plays them; a notebook shows what is returned.

    Parameters
    ----------
    shown : a network, a run, a placed network, a platform with an application, or a path (``options``: what
        `ppnsim.load` takes); several become one page with a list to choose from.
    out : the page, .html.
    depths, style : as of `ppnsim.run`.

    Raises
    ------
    InputError
        If a path cannot be read, or the page cannot be written.
    """
    place = Path(out)
    if place.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"'{place.suffix}' is not .html", where=f"--out {place}")
    each = list(shown) if isinstance(shown, Sequence) and not isinstance(shown, str) else [shown]
    write_page([entry_in(one, depths=depths, style=style, **options) for one in each], place)
    return ShownFile(str(place))


def entry_of(held: object, origin: Origin) -> dict[str, Any]:
    """Run what is held and return it as an entry of a page.

    Raises
    ------
    InputError
        If it is a platform without an application.
    """
    if isinstance(held, PlatformFile):
        application = application_of(held, origin.file)
        return platform_told(held.system, application, run_platform(held.system, application), origin=origin)
    if isinstance(held, Placement):
        return placed_told(run_placed(held), origin=origin)
    if isinstance(held, Run):
        return told_of(held, origin=origin)
    assert isinstance(held, NetworkFile)
    if held.source is not None:
        origin = _with_source(held.source, origin)
    return told_of(run(held.network, on_deadlock="return"), origin=origin)


def write_page(entries: Sequence[Mapping[str, Any]], output: Path) -> None:
    """Write the page of some entries, whole or not at all."""
    with replacing(output) as out:
        out.write(page_of(entries))


def entry_in(
    shown: Any, *, depths: Depths | None = None, style: str | None = None, **options: Any
) -> dict[str, Any]:  # fmt: skip
    """Run what is shown, also by a path, and return it as an entry of a page (see `report`)."""
    held, origin = shown, Origin(file="(in Python)")
    if isinstance(shown, str | Path):
        origin = Origin(file=str(shown), content=Path(shown).read_bytes() if Path(shown).is_file() else b"")
        if not is_source(shown):
            held, options = load(str(shown), "Network", "PlatformFile", "Placement", **options), {}
    if isinstance(held, Run | Placement | PlatformFile):
        if depths is not None or style is not None:
            raise InputError("depths and style can only be used with networks that are not placed on nodes")
        return entry_of(held, origin)
    assert isinstance(held, Network | SourceNetwork | NetworkFile | str | Path)
    return entry_of(network_file(held, depths=depths, style=style, **options), origin)


def _with_source(held: SourceNetwork, origin: Origin) -> Origin:
    """Return the origin with the text of the source, and where in it processes and channels stand."""
    own = Path(held.file).resolve()
    return replace(
        origin, source=origin.content.decode(errors="replace"),
        lines={name: at.line for name, at in held.places.items() if at.line and Path(at.file).resolve() == own},
        places={name: line_of(at) for name, at in (*held.places.items(), *held.declared.items()) if at.line},
    )  # fmt: skip
