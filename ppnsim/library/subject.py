"""What a function of the library is asked about: a path, or an object that was made or loaded before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from os import PathLike
from typing import Any, Literal

from ppnsim.errors import InputError
from ppnsim.files import load_as, refuse_options
from ppnsim.hls.project.suffixes import is_source
from ppnsim.kinds import shown
from ppnsim.library.place import Place as Place
from ppnsim.library.place import tell
from ppnsim.model.network import Network
from ppnsim.model.parts import Depth
from ppnsim.model.styles import style_of
from ppnsim.source_networks import memories
from ppnsim.source_networks import report as sources
from ppnsim.source_networks.model import SourceNetwork

Depths = int | Literal["unbounded"] | Mapping[str, Depth]

_OF_STATEMENTS = ("latency", "ii", "timing", "io", "hazards", "steps")


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkFile:
    """A network, with the source that it comes from, None for other files, and the path as it was given."""

    network: Network
    source: SourceNetwork | None = None
    file: str = ""

    def places(self) -> dict[str, str]:
        """Return the line of each process for pictures, nothing for other files."""
        return self.source.lines() if self.source is not None else {}

    def result(self) -> dict[str, Any]:
        """Return what the JSON of a command says of the source, nothing for other files."""
        return {"source": sources.source_result(self.source)} if self.source is not None else {}


NetworkLike = Network | SourceNetwork | NetworkFile | Place
"""A network, or what one can be read from."""


def network_file(
    given: NetworkLike, *, depths: Depths | None = None, style: str | None = None, convention: str | None = None,
    most: int | None = None, **options: Any,
) -> NetworkFile:  # fmt: skip
    """Return the network that is asked about.

    Parameters
    ----------
    given : a network, one of a source, or a path.
    depths : depths in tokens that replace those of the network, as of `Network.with_depths`.
    style : pipeline style for all processes.
    convention : what depths count, ``ppn`` or ``sdf3``; default that of the network.
    most : executions of statements of a source, above which it is refused before its channels are derived.
    options : for a path: what `ppnsim.load` takes.

    Raises
    ------
    InputError
        If the path cannot be read, or options for a path are given with an object.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> network_file(chain(firings=4), depths={"c0": 3}).network.channel("c0").depth
    3
    >>> network_file(chain(firings=4), device="xc7z020")
    Traceback (most recent call last):
    ppnsim.errors.InputError: device can only be used with a path, which is then read with it
    """
    if isinstance(given, Network | SourceNetwork | NetworkFile):
        refuse_options(options, more=_OF_STATEMENTS)
    if isinstance(given, NetworkFile):
        found = given
    elif isinstance(given, SourceNetwork):
        found = NetworkFile(network=given.network, source=given, file=given.file)
    elif isinstance(given, Network) and isinstance(source := given.origin, SourceNetwork):
        found = NetworkFile(network=given, source=source, file=source.file)
    elif isinstance(given, Network):
        found = NetworkFile(network=given, file=given.name)
    elif isinstance(given, str | PathLike):
        found = _read(str(given), options, most)
    else:
        raise InputError(f"{shown(given)} is neither a network nor the path of one: write ppnsim.load(path)")
    # A depth that a convention would refuse may be one that is replaced: first what is written changes.
    meant = found.network.convention if convention is None else convention
    network = found.network.written if convention is not None else found.network
    if style is not None:
        if found.source is not None:
            check_style(found.source, style)
        network = network.with_style(style)
    network = network if depths is None else network.with_depths(depths)
    network = network.checked().with_convention(meant)
    if depths is not None and found.source is not None and (words := memories.other_memories(network, found.source)):
        tell(words)
    return replace(found, network=network if found.source is None else network.made_from(found.source))


def asks_for_execution(options: Mapping[str, Any]) -> bool:
    """Return whether options for a path say that data decides: a testbench or its trace."""
    return options.get("testbench") is not None or options.get("trace") is not None


def _read(file: str, options: dict[str, Any], most: int | None) -> NetworkFile:
    if not is_source(file):
        return NetworkFile(network=load_as(file, Network, **options), file=file)
    if asks_for_execution(options):
        executed = import_module("ppnsim.library.executed").executed(file, options)  # what compiles and executes
        if not isinstance(executed, SourceNetwork):
            raise InputError(
                "its order depends on time, so that it is no network: only ppnsim.run takes it", where=file
            )
        return NetworkFile(network=executed.network, source=executed, file=file)
    from ppnsim.library.statements import network_of  # islpy takes a while to import

    of_statements = {name: options.pop(name) for name in _OF_STATEMENTS if name in options}
    as_statements = options.pop("as_statements", bool(of_statements))
    source = load_as(
        file, SourceNetwork, **options, as_statements=as_statements,
        statements=partial(network_of, most=most, **of_statements),
    )  # fmt: skip
    if source.made_of == "tasks" and of_statements:
        words = f"can only be used with a network of statements; '{source.function}' is a dataflow region"
        raise InputError(f"{', '.join(of_statements)} {words}, which is scheduled", where=file)
    for note in source.notes:
        tell(note)
    return NetworkFile(network=source.network, source=source, file=file)


def check_style(held: SourceNetwork, style: str, where: str = "style") -> None:
    """Refuse a style that no task of a dataflow region can have: scheduled processes are frozen."""
    if held.made_of == "tasks" and style_of(style) != "frozen":
        words = "is a dataflow region, whose tasks are scheduled and stand still as a whole (style frozen)"
        if held.whole:
            words = "is no dataflow region: its one task is scheduled and stands still as a whole (style frozen)"
        raise InputError(f"{where} {style}: '{held.function}' {words}")
