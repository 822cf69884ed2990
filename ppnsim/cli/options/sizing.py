"""The options of ``ppnsim size``, and the search for FIFO depths that they ask for."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import ppnsim
from ppnsim.cli.options.network import NetworkOptions
from ppnsim.errors import InputError
from ppnsim.explore.fifo import stop
from ppnsim.library import sizable

if TYPE_CHECKING:
    from ppnsim.explore.fifo.objectives import Time
    from ppnsim.explore.fifo.search import Bounds
    from ppnsim.explore.fifo.sizing import Grown
    from ppnsim.explore.fifo.stop import Stop
    from ppnsim.explore.fifo.variables import Limit
    from ppnsim.library.size import Progress, SizedFifos
    from ppnsim.library.subject import NetworkFile

# No exponents: 1e999999999 is a number, and would take too long to write out as a fraction.
_PERCENT = re.compile(r"[0-9]{1,3}([.][0-9]{1,6})?%")
_CYCLES = re.compile(r"[0-9]{1,18}([./][0-9]{1,18})?")
SizedCopy = Annotated[
    Path | None,
    typer.Option(
        "-o", "--out", metavar="PATH",
        help="Write the network with these depths (.toml, .json), or the C++ source with them as pragmas.",
    ),
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SizingOptions:
    """The question that ``ppnsim size`` answers."""

    objective: Annotated[
        Literal["finish", "period"],
        typer.Option("--objective", help="Time is the finish of the run, or the period of the steady state."),
    ] = "finish"
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="CYCLES", help="Also find the smallest depths for this finish or period."),
    ] = None
    cost: Annotated[
        Literal["tokens", "bits", "fpga"],
        typer.Option("--cost", help="Memory is counted in tokens, in bits, or in bits of FPGA memory blocks taken."),
    ] = "tokens"
    memories: Annotated[
        str | None,
        typer.Option(
            "--memories", metavar="FILE.toml", help="Memory blocks for --cost fpga: an array of tables 'memory'."
        ),
    ] = None
    limit: Annotated[
        list[str],
        typer.Option(
            "--limit", metavar="CHANNEL=LOW:HIGH",
            help="Depths allowed, either end may be left out; CHANNEL=N fixes it, CHANNEL=unbounded leaves it out.",
        ),
    ] = field(default_factory=list)  # fmt: skip
    group: Annotated[
        list[str], typer.Option("--group", metavar="A,B", help="These channels share one depth; may be repeated.")
    ] = field(default_factory=list)
    together: Annotated[
        bool, typer.Option("--together", help="The files are scenarios of one network: one set of depths for all.")
    ] = False
    front: Annotated[
        bool, typer.Option("--front/--no-front", help="Also find the whole trade-off, for 15 seconds or --seconds.")
    ] = True
    start: Annotated[
        str | None, typer.Option("--start", metavar="JSON", help="Begin with the depths of an earlier result.")
    ] = None
    budget: Annotated[
        int | None,
        typer.Option("--budget", metavar="N", min=1, help="Depth vectors to run; default a million, or 50 000 of all."),
    ] = None

    within: Annotated[
        str | None,
        typer.Option("--within", metavar="PERCENT", help="Be content with what is proven to be so near: 5%."),
    ] = None
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            metavar="N",
            help="Stop after so long; what is known then is the answer. Runs in other styles get the rest, or a tenth.",
        ),
    ] = None

    def check(self, files: int, plot: Path | None) -> None:
        """Raise `InputError` before any work is done if an option cannot be followed."""
        if plot is not None and not self.front:
            raise InputError("there is no front to draw with --no-front", where=f"--plot {plot}")
        if plot is not None and files > 1 and not self.together:
            raise InputError(f"{files} networks, but only one is drawn (or --together)", where=f"--plot {plot}")
        if self.together and files == 1:
            raise InputError(
                "changes nothing for one file: name the other scenarios of the network", where="--together"
            )
        target_of(self.target)
        limits_of(self.limit)
        sizable.price_of(self.cost, self.memories)
        stop_of(self.within, self.seconds)

    def sized(
        self, files: Sequence[NetworkFile], *, progress: Progress, bounds: Bounds, grown: Grown | None = None
    ) -> SizedFifos:
        """Return the depths of a network, or of several scenarios at once."""
        stop = stop_of(self.within, self.seconds)
        return ppnsim.size(
            files, objective=self.objective, target=target_of(self.target), cost=self.cost, memories=self.memories,
            limits=limits_of(self.limit), groups=[[name.strip() for name in each.split(",")] for each in self.group],
            front=self.front, start=start_of(self.start), budget=self.budget, within=stop.within, seconds=stop.seconds,
            progress=progress, bounds=bounds, grown=grown,
        )  # fmt: skip


def sized_network(file: str, options: NetworkOptions) -> NetworkFile:
    """Read a network; every channel gets a depth, in the unit of the convention."""
    return sizable.sizable(options.load(file))


def target_of(text: str | None) -> Time | None:
    """Return the target in cycles, also as a fraction.

    Examples
    --------
    >>> target_of("40"), target_of("13/2"), target_of("6.5")
    (40, Fraction(13, 2), Fraction(13, 2))
    """
    if text is None:
        return None
    try:
        if not _CYCLES.fullmatch(text):
            raise ValueError
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"'{text}' is not a number of cycles (like 40, 6.5 or 13/2)", where="--target") from None
    if value <= 0:
        raise InputError(f"{text} is not above 0 cycles", where="--target")
    return int(value) if value.denominator == 1 else value


def stop_of(within: str | None, seconds: float | None) -> Stop:
    """Return when a search may stop early.

    Examples
    --------
    >>> stop_of("5%", None).within, stop_of(None, 2.5).seconds
    (0.05, 2.5)
    """
    if seconds is not None and not 0 < seconds < inf:
        raise InputError(f"{seconds:g} is not a number of seconds above 0", where="--seconds")
    if within is None:
        return stop.Stop(seconds=seconds)
    if not _PERCENT.fullmatch(within):
        raise InputError(f"'{within}' is not a part of the cost in per cent (like 5% or 0.5%)", where="--within")
    return stop.Stop(within=float(within.removesuffix("%")) / 100, seconds=seconds)


def limits_of(options: Sequence[str]) -> dict[str, Limit]:
    """Return the depths that channels may have, by channel.

    Raises
    ------
    InputError
        If an option does not have this form, or a channel has two limits.
    """
    limits: dict[str, Limit] = {}
    for option in options:
        name, limit = limit_of(option)
        if name in limits:
            raise InputError(f"channel '{name}' has a limit already (one each, LOW:HIGH)", where=f"--limit {option}")
        limits[name] = limit
    return limits


def limit_of(option: str) -> tuple[str, Limit]:
    """Return a channel and the depths it may have.

    Examples
    --------
    >>> limit_of("c=2:16"), limit_of("c=:8"), limit_of("c=3"), limit_of("c=unbounded")
    (('c', (2, 16)), ('c', (1, 8)), ('c', (3, 3)), ('c', None))
    """
    name, equals, text = option.rpartition("=")
    low, colon, high = text.partition(":")
    numbers = [part for part in (low, high) if part]
    where = f"--limit {option}"
    if equals and name and text == "unbounded":
        return name, None
    if not (equals and name and numbers and all(part.isascii() and part.isdecimal() for part in numbers)):
        raise InputError("is neither CHANNEL=LOW:HIGH, CHANNEL=N nor CHANNEL=unbounded", where=where)
    if any(len(part) > 12 for part in numbers):
        raise InputError("is more tokens than any memory holds", where=where)
    least, most = int(low or 1), int(high) if high else (None if colon else int(low))
    if least < 1 or (most is not None and most < least):
        raise InputError("depths go from 1 on, the lower one first", where=where)
    return name, (least, most)


def start_of(path: str | None) -> dict[str, Any] | None:
    """Return an earlier result, whose depths are tried first."""
    if path is None:
        return None
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=f"--start {path}") from None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        words = "is not a result of `ppnsim size --json` for one network with these channels"
        raise InputError(words, where=f"--start {path}")
    return found
