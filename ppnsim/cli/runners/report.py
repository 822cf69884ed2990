"""The page of what a file holds, for ``ppnsim report`` and ``ppnsim serve``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ppnsim.cli.options.network import NetworkOptions
from ppnsim.cli.runners.platform import application_of, simulated
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.export.place import replacing
from ppnsim.model.network import Network
from ppnsim.page.build import page_of, told_of
from ppnsim.page.placed import placed_told
from ppnsim.page.platform import platform_told
from ppnsim.page.sections import Origin
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.run.network import run_placed
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.source_networks.model import SourceNetwork, line_of


def entry_of(file: str, options: NetworkOptions) -> dict[str, Any]:
    """Run what a file holds and return it as an entry of a page.

    Raises
    ------
    InputError
        If the file holds neither a network, placed on nodes or not, nor a platform, or an option says nothing to it.
    """
    held = options.load_any(file, "Network", "PlatformFile", "Placement")
    origin = Origin(file=file, content=Path(file).read_bytes())
    if isinstance(held, PlatformFile):
        if given := options.given():
            raise InputError(f"{', '.join(given)} can only be used with a network; this file holds a platform")
        application = application_of(held, file)
        return platform_told(held.system, application, simulated(held.system, application), origin=origin)
    if isinstance(held, Placement):
        if given := [name for name in options.given() if name not in ("--style", "--depth", "--depths")]:
            raise InputError(f"{', '.join(given)} can only be used with a network; this file places one on nodes")
        return placed_told(run_placed(replace(held, network=options.changed(held.network))), origin=origin)
    if isinstance(held, SourceNetwork):
        origin = _with_source(held, origin)
    assert isinstance(held, Network | SourceNetwork)
    network = options.counted(options.changed(held), file)
    return told_of(run(network, on_deadlock="return"), origin=origin)


def write_page(entries: Sequence[Mapping[str, Any]], output: Path) -> None:
    """Write the page of some entries, whole or not at all."""
    with replacing(output) as out:
        out.write(page_of(entries))


def _with_source(held: SourceNetwork, origin: Origin) -> Origin:
    """Return the origin with the text of the source, and where in it processes and channels stand."""
    own = Path(held.file).resolve()
    return replace(
        origin, source=origin.content.decode(errors="replace"),
        lines={name: at.line for name, at in held.places.items() if at.line and Path(at.file).resolve() == own},
        places={name: line_of(at) for name, at in (*held.places.items(), *held.declared.items()) if at.line},
    )  # fmt: skip
