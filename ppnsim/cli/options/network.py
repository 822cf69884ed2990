"""The options of every command on networks, and how they change the network of a file."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import typer

import ppnsim
from ppnsim.cli.options import completed
from ppnsim.cli.options.depths import depths_in, depths_of, initial_of
from ppnsim.cli.options.groups import Panel
from ppnsim.cli.options.source_network import SourceNetworkOptions
from ppnsim.errors import InputError
from ppnsim.hls.project.suffixes import is_source
from ppnsim.library import subject
from ppnsim.report import folding
from ppnsim.source_networks import memories
from ppnsim.source_networks import model as sources

if TYPE_CHECKING:
    from ppnsim.library.subject import NetworkFile
    from ppnsim.model.network import Network
    from ppnsim.source_networks.model import SourceNetwork

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        show_default=False,
        help="Networks: C, C++, projects (run_hls.tcl, hls_config.cfg), TOML scenarios, network JSON, SDF3 XML.",
    ),
]
File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        show_default=False,
        help="C, C++, a project (run_hls.tcl, hls_config.cfg), a TOML scenario, network JSON or SDF3 XML.",
    ),
]

OF_PLACED = ("--style", "--depth", "--depths", "--initial")
"""Options that also change a network placed on nodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOptions:
    """What the command line changes of a network, and how a source becomes one."""

    style: Annotated[
        str | None,
        typer.Option(
            "--style", metavar="STYLE", autocompletion=completed.styles,
            help="Give every process this pipeline style: elastic, flushable, frozen, or that of hardware: hls, stp, "
            "flp, frp, finn, hls4ml, xls, chisel, dynamatic, kahn (ppnsim styles tells them). Default: that of the "
            "file, else elastic; tasks of C++ are frozen.",
        ),
    ] = None  # fmt: skip
    depth: Annotated[
        list[str],
        typer.Option(
            "--depth",
            metavar="[CHANNEL=]N",
            help="Depth in tokens or 'unbounded', of a channel, of a pattern 'c*', or of all; repeatable.",
        ),
    ] = field(default_factory=list)
    depths: Annotated[
        str | None,
        typer.Option(
            "--depths", metavar="SIZED.json",
            help="Depths of a result of ppnsim size; --depth CHANNEL=N wins, --depth N is for the other channels.",
        ),
    ] = None  # fmt: skip
    initial: Annotated[
        list[str],
        typer.Option(
            "--initial", metavar="CHANNEL=N",
            help="Tokens in a channel, or in those of a pattern 'c*', at cycle 0; repeatable.",
        ),
    ] = field(default_factory=list)  # fmt: skip
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

    def load(self, file: str) -> NetworkFile:
        """Read a network and change it as the command line says."""
        held = self.load_any(file, "Network")
        assert isinstance(held, ppnsim.Network | sources.SourceNetwork)
        return self.applied(held, file)

    def applied(self, held: Network | SourceNetwork, file: str) -> NetworkFile:
        """Return what a file holds, changed as the command line says."""
        source = held if isinstance(held, sources.SourceNetwork) else None
        return subject.NetworkFile(network=self.changed(held), source=source, file=file)

    def load_any(self, file: str, *kinds: str, most: int | None = None) -> object:
        """Read a file of one of these kinds as it is; a source is a `SourceNetwork`, of at most so many executions."""
        self.source.check(file)
        if is_source(file):
            if self.iterations is not None:
                raise InputError("--iterations can only be used with SDF3 graphs (.xml)")
            if self.source.executes:
                return self.source.executed(file, kinds)
            return self.source.load(file, partial(self.source.network_of, most=most))
        return ppnsim.load(file, *kinds, iterations=self.iterations)

    def depths_asked(self) -> tuple[list[int | None], dict[str, int | None]]:
        """Return the depths for all channels, and those by name: of the file of ``--depths``, then of ``--depth``."""
        for_all, by_name = depths_of(self.depth)
        sized = depths_in(self.depths) if self.depths is not None else {}
        return for_all, sized | by_name

    def changed(self, held: Network | SourceNetwork) -> Network:
        """Return the network with the style, the depths, the initial tokens and the convention of the command line."""
        network = held.network if isinstance(held, sources.SourceNetwork) else held
        meant = self.convention or network.convention
        # A depth that a convention would refuse may be one that is replaced: first what is written changes.
        network = network.written if self.convention is not None else network
        if self.style is not None:
            if isinstance(held, sources.SourceNetwork):
                subject.check_style(held, self.style, "--style")
            network = network.with_style(self.style)
        for_all, by_name = self.depths_asked()
        if for_all:
            deep = for_all[-1]
            network = network.with_depths(lambda _: deep)
        network = network.with_depths(by_name).with_initial(initial_of(self.initial)).checked().with_convention(meant)
        words = memories.other_memories(network, held) if isinstance(held, sources.SourceNetwork) else ""
        for each in filter(None, (words, self._idle_convention(held, network))):
            typer.echo(folding.told_on(sys.stderr, each), err=True)
        return network

    def _idle_convention(self, held: Network | SourceNetwork, network: Network) -> str:
        """Return why ``--convention`` changes nothing, "" if it does."""
        own = held.network.convention if isinstance(held, sources.SourceNetwork) else held.convention
        if self.convention is None:
            return ""
        if own == self.convention:
            return f"note: --convention {own} is what depths of this file count anyway"
        deep = any(channel.depth is not None for channel in network.written.channels)
        return "" if deep else "note: no channel has a depth, and --convention says what depths count"
