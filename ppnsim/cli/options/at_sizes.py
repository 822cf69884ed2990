"""The network of a C or C++ source at values of its macros, parameters and clock, for ``--vary N=16:64``."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import redirect_stderr
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import TYPE_CHECKING, ClassVar

import typer

from ppnsim.cli.options.network import NetworkOptions
from ppnsim.comparison import sizes as sizes_of_source

if TYPE_CHECKING:
    from ppnsim.library.subject import NetworkFile
    from ppnsim.model.network import Network


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceAtSizes:
    """Reads a source again for each size, under the options of the command line; what is said of it is said once.

    ``read`` is what was read last; ``reads_clock`` says that it also takes the clock, as a sweep of a path does.
    """

    reads_clock: ClassVar[bool] = True

    file: str
    options: NetworkOptions
    told: set[str] = field(default_factory=set)
    read: list[NetworkFile] = field(default_factory=list)

    def __call__(self, values: Mapping[str, int | str]) -> Network:
        """Return the network at a value for each macro and parameter that varies, and for the clock if that does."""
        source = self.options.source.source
        given = {**source.read(), "clock": self.options.source.clock}
        at = sizes_of_source.with_values(self.file, given, values)
        defines = [f"{name}={value}" for name, value in at["defines"].items()]
        settings = [f"{name}={value}" for name, value in at["settings"].items()]
        at_them = replace(source, define=defines, settings=settings)
        sized = replace(self.options.source, source=at_them, clock=at["clock"])
        with redirect_stderr(StringIO()) as text:
            found = replace(self.options, source=sized).load(self.file)
        for line in text.getvalue().splitlines():
            if line not in self.told:
                typer.echo(line, err=True)
                self.told.add(line)
        self.read[:] = [found]
        return found.network
