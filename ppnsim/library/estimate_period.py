"""The answer of ``ppnsim estimate`` for a network too large to be gone through: its period, from the graph alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

from ppnsim.analysis.k_periodic import PeriodBounds, period_bounds
from ppnsim.errors import InputError
from ppnsim.explore.fifo.graph_sizes import GraphSizes, graph_sizes
from ppnsim.library.answer import Answer
from ppnsim.library.subject import NetworkFile
from ppnsim.report.text import plain_line, plain_table

if TYPE_CHECKING:
    from fractions import Fraction

_READABLE = 1000  # denominator of a period that is printed as a fraction
_SHOWN = 400  # characters of a critical circle that is printed


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PeriodEstimate(Answer):
    """The steady state of a network whose firings are too many for the other estimates, with its depths.

    Attributes
    ----------
    parts : the period of each connected part, exact or two bounds.
    subject : the network.
    sizes : bounds on the smallest depths for the period of FIFOs that never fill, or why there are none.
    """

    parts: tuple[PeriodBounds, ...]
    subject: NetworkFile
    sizes: GraphSizes | str

    @classmethod
    def of(cls, subject: NetworkFile) -> PeriodEstimate:
        """Return the periods of a network.

        Raises
        ------
        InputError
            If it does not repeat or is not a maximum of sums; the message names the part.
        """
        words = f"{subject.network.events} firings and tokens are more than an estimate goes through"
        try:
            parts = period_bounds(subject.network)
        except InputError as error:
            raise InputError(f"{words}, and there is {error}") from None
        except MemoryError:
            raise InputError(f"{words}, and an iteration is too long to find the period of its graph") from None
        is_unbounded = all(channel.depth is None for channel in subject.network.channels)
        try:
            sizes = graph_sizes(subject.network, parts if is_unbounded else None)
            return cls(parts=parts, subject=subject, sizes=sizes)
        except InputError as error:
            return cls(parts=parts, subject=subject, sizes=str(error))

    @property
    def deadlocked(self) -> bool:
        """Whether some part never gets through an iteration."""
        return any(part.exact and part.most is None for part in self.parts)

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        network = self.subject.network
        told = {"file": self.subject.file, "name": network.name, "periods": self.rows(), "depths": self._depths()}
        return told | self.subject.result()

    def print(self, console: Console) -> None:
        """Print a row for each connected part, and what binds there."""
        network = self.subject.network
        plain_line(console, network.name)
        words = f"{network.events} firings and tokens are too many to go through: the steady state is that of the graph"
        plain_line(console, words)
        table = plain_table("part with", "processes", "firings of an iteration", "cycles of an iteration", right=(1, 2))
        for part in self.parts:
            names = list(part.firings)
            table.add_row(escape(names[0]), str(len(names)), str(sum(part.firings.values())), _period(part))
        console.print(table)
        for part in self.parts:
            if part.critical:
                shown = part.critical if len(part.critical) <= _SHOWN else f"{part.critical[:_SHOWN]} ..."
                plain_line(console, f"{'bound by' if part.exact else 'the upper bound is that of'} {shown}")
            elif part.exact and part.most:
                plain_line(
                    console, "followed firing by firing, at the earliest, until an iteration took as long as any"
                )
        self._print_sizes(console)

    def _print_sizes(self, console: Console) -> None:
        """Print the bounds on every depth, and the period that the upper ones are enough for."""
        if isinstance(self.sizes, str):
            plain_line(console, self.sizes)
            return
        table = plain_table("channel", "live from", "lossless from", "enough", right=(1, 2, 3))
        for row in self._depths():
            table.add_row(escape(row["channel"]), *(str(row[key]) for key in ("live", "least", "enough")))
        if not self.sizes.most:
            return
        console.print(table)
        least, most = sum(self.sizes.least.values()), sum(self.sizes.most.values())
        words = f"{least} tokens at least for the period of FIFOs that never fill; {most} are enough for a period of "
        gap = self.sizes.gap
        beside = "longer than theirs" if gap is None else f"gap {float(gap):.1%}"
        plain_line(console, f"{words}{', '.join(map(_number, self.sizes.periods))} ({beside})")

    def _depths(self) -> list[dict[str, Any]]:
        if isinstance(self.sizes, str):
            return []
        sizes = self.sizes
        return [
            {"channel": name, "live": sizes.live[name], "least": sizes.least[name], "enough": sizes.most[name]}
            for name in sizes.most
        ]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each connected part; a period that is known has one value for both bounds."""
        return [
            {
                "part": next(iter(part.firings)), "processes": len(part.firings),
                "firings": sum(part.firings.values()), "exact": part.exact,
                "deadlock": part.exact and part.most is None, "period_least": _text(part.least),
                "period_most": _text(part.most), "unrolled": part.unrolled, "critical": part.critical,
            }
            for part in self.parts
        ]  # fmt: skip


def _number(period: Fraction) -> str:
    """Return a period as a fraction where one can read that, rounded up elsewhere."""
    return str(period) if period.denominator <= _READABLE else f"{ceil(period * 1000) / 1000:.3f}"


def _period(part: PeriodBounds) -> str:
    if not part.exact:
        return f"{part.least} at least, {'no upper bound found' if part.most is None else f'{part.most} at most'}"
    return "deadlock" if part.most is None else f"{part.most}"


def _text(cycles: Fraction | None) -> str | None:
    return None if cycles is None else str(cycles)
