"""The options of every command on networks, and how they change the network of a file."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Annotated, Literal

import typer

import ppnsim
from ppnsim.cli.options.depths import depths_in, depths_of
from ppnsim.cli.options.groups import Panel
from ppnsim.cli.options.source_network import SourceNetworkOptions
from ppnsim.errors import InputError
from ppnsim.formats import network as networks
from ppnsim.hls.project.suffixes import is_source
from ppnsim.library import subject
from ppnsim.model import convention as conventions
from ppnsim.source_networks import memories
from ppnsim.source_networks import model as sources

if TYPE_CHECKING:
    from ppnsim.library.subject import NetworkFile
    from ppnsim.model.network import Network
    from ppnsim.source_networks.model import SourceNetwork

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...", help="Networks: C, C++, TOML scenarios, network JSON, SDF3 XML.", show_default=False
    ),
]
File = Annotated[
    str,
    typer.Argument(metavar="FILE", help="C, C++, a TOML scenario, network JSON or SDF3 XML.", show_default=False),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOptions:
    """What the command line changes of a network, and how a source becomes one."""

    style: Annotated[
        str | None,
        typer.Option(
            "--style", metavar="STYLE",
            help="Give every process this pipeline style: elastic, flushable, frozen, or that of hardware: hls, stp, "
            "flp, frp, finn, hls4ml, xls, chisel, dynamatic, kahn (ppnsim styles tells them).",
        ),
    ] = None  # fmt: skip
    depth: Annotated[
        list[str],
        typer.Option(
            "--depth", metavar="[CHANNEL=]N", help="Depth in tokens or 'unbounded', of a channel or of all; repeatable."
        ),
    ] = field(default_factory=list)
    depths: Annotated[
        str | None,
        typer.Option(
            "--depths", metavar="SIZED.json",
            help="Depths of a result of ppnsim size; --depth CHANNEL=N wins, --depth N is for the other channels.",
        ),
    ] = None  # fmt: skip
    iterations: Annotated[
        int | None,
        typer.Option("--iterations", metavar="N", help="Graph iterations to run of an SDF3 graph (.xml); default 1."),
    ] = None
    convention: Annotated[
        Literal["ppn", "sdf3"] | None,
        typer.Option(
            "--convention",
            help="What depths count: ppn takes a slot at the write and frees it after the read; sdf3 takes it at the "
            "start of the producer's firing and frees it at the end of the consumer's. Default: sdf3 for .xml, else "
            "ppn.",
        ),
    ] = None
    source: Annotated[SourceNetworkOptions, Panel("C and C++")] = field(default_factory=SourceNetworkOptions)

    def given(self) -> list[str]:
        """Return the names of the options that are given."""
        own = (each.name for each in fields(self) if each.name != "source")
        return [*(f"--{name}" for name in own if getattr(self, name) not in (None, [])), *self.source.given()]

    def convention_of(self, file: str) -> str:
        """Return what depths count: as the command line says, else as usual in files of this format."""
        return self.convention or networks.usual_convention(file)

    def load(self, file: str) -> NetworkFile:
        """Read a network and change it as the command line says; its depths follow the convention."""
        found = self.load_plain(file)
        return replace(found, network=self.counted(found.network, file))

    def load_plain(self, file: str) -> NetworkFile:
        """Read a network and change it as the command line says; its depths count tokens (convention ppn)."""
        held = self.load_any(file, "Network")
        if isinstance(held, sources.SourceNetwork):
            return subject.NetworkFile(network=self.changed(held), source=held, file=file)
        assert isinstance(held, ppnsim.Network)
        return subject.NetworkFile(network=self.changed(held), file=file)

    def load_any(self, file: str, *kinds: str) -> object:
        """Read a file of one of these kinds as it is: depths count tokens, and a source is a `SourceNetwork`."""
        self.source.check(file)
        if is_source(file):
            if self.iterations is not None:
                raise InputError("--iterations can only be used with SDF3 graphs (.xml)")
            return self.source.executed(file, kinds) if self.source.executes else self.source.load(file)
        convention = "ppn" if networks.usual_convention(file) != "ppn" else None
        return ppnsim.load(file, *kinds, iterations=self.iterations, convention=convention)

    def counted(self, network: Network, file: str) -> Network:
        """Return a network whose depths count tokens with depths that follow the convention."""
        return conventions.with_convention(network, self.convention_of(file))

    def depths_asked(self) -> tuple[list[int | None], dict[str, int | None]]:
        """Return the depths for all channels, and those by name: of the file of ``--depths``, then of ``--depth``."""
        for_all, by_name = depths_of(self.depth)
        sized = depths_in(self.depths) if self.depths is not None else {}
        return for_all, sized | by_name

    def changed(self, held: Network | SourceNetwork) -> Network:
        """Return the network with the style and the depths of the command line."""
        network = held.network if isinstance(held, sources.SourceNetwork) else held
        if self.style is not None:
            network = network.with_style(self.style)
        for_all, by_name = self.depths_asked()
        if for_all:
            deep = for_all[-1]
            network = network.with_depths(lambda _: deep)
        network = network.with_depths(by_name).checked()
        if isinstance(held, sources.SourceNetwork) and (words := memories.other_memories(network, held)):
            typer.echo(words, err=True)
        return network
