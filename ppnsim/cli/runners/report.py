"""The entry in a page of what a file holds, for ``ppnsim report``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from ppnsim.cli.options.network import OF_PLACED, NetworkOptions
from ppnsim.errors import InputError
from ppnsim.library.entries import entry_of
from ppnsim.library.subject import NetworkFile
from ppnsim.model.network import Network
from ppnsim.page.sections import Origin
from ppnsim.placed.model.placement import Placement
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.source_networks.model import SourceNetwork


def entry_under(file: str, options: NetworkOptions, window: str | None = None) -> dict[str, Any]:
    """Run what a file holds and return it as an entry of a page.

    Raises
    ------
    InputError
        If the file holds neither a network, placed on nodes or not, nor a platform, an option says nothing to it, or
        the window shows nothing of the run.
    """
    held = options.load_any(file, "Network", "PlatformFile", "Placement")
    origin = Origin(file=file, content=Path(file).read_bytes())
    if isinstance(held, PlatformFile) and (given := options.given()):
        raise InputError(f"{', '.join(given)} can only be used with a network; this file holds a platform")
    if isinstance(held, Placement):
        if given := [name for name in options.given() if name not in OF_PLACED]:
            raise InputError(f"{', '.join(given)} can only be used with a network; this file places one on nodes")
        held = replace(held, network=options.changed(held.network))
    if isinstance(held, Network | SourceNetwork):
        network = options.changed(held)
        held = NetworkFile(network=network, source=held if isinstance(held, SourceNetwork) else None)
    return entry_of(held, origin, window)
