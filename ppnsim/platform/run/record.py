"""What running an application on a platform gives: when it ended, what every part did, and what each term took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

# What a node, a port or a link can be told to do; the shares of a node's time come in this order.
KINDS = (
    "compute", "input port", "software", "configuration", "send", "receive", "bytes", "port", "gap", "latency",
    "bus delay", "bus bytes",
)  # fmt: skip


class PlatformSpan(NamedTuple):
    """A stretch of time of a part of the platform, in seconds.

    ``where`` is a node (``fpga[0]``), a port (``cpu[0] out``) or a bus (``pcix fpga[0]``). Nodes ``compute`` (limited
    by the pipeline, or by its ``input port``), run ``software``, are configured, and as ranks of a network ``send`` and
    ``receive`` (o), take ``bytes`` (G), wait for ``latency`` (L) and for the port, which the message before holds by
    its bytes (``port``, G) and then by its ``gap`` (g). A port moves ``bytes`` (G) and has its ``gap`` (g), a bus its
    ``bus delay`` (L + o) and ``bus bytes``. ``what`` is the stage and the step.
    """

    where: str
    kind: str
    what: str
    start: Fraction
    end: Fraction


class Pass(NamedTuple):
    """A stage being performed once, with all its iterations, from ``start`` to ``end`` in seconds."""

    stage: str
    start: Fraction
    end: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformRun:
    """A finished run.

    Attributes
    ----------
    makespan : seconds until the last node is done.
    times : seconds by name, as a prediction names them.
    spans : what each part did, by part and start.
    passes : when each stage was performed, by start.
    messages, transfers : messages over networks, blocks over buses.
    speedup : against the software baseline, None without one.
    """

    makespan: Fraction
    times: Mapping[str, Fraction]
    spans: tuple[PlatformSpan, ...]
    messages: int
    transfers: int
    speedup: Fraction | None
    passes: tuple[Pass, ...] = ()


def parts(spans: Sequence[PlatformSpan]) -> list[str]:
    """Return the parts that did something, in order of their first span."""
    return list(dict.fromkeys(span.where for span in spans))


def overlapping(spans: Sequence[PlatformSpan], first: Fraction, last: Fraction) -> list[PlatformSpan]:
    """Return the spans that are there at some time between two (s), whole."""
    return [span for span in spans if span.start < last and span.end > first]


def within(spans: Sequence[PlatformSpan], first: Fraction, last: Fraction) -> list[PlatformSpan]:
    """Return what is there between two times (s) of each span.

    Examples
    --------
    >>> span = PlatformSpan("a", "compute", "s", Fraction(0), Fraction(3))
    >>> [float(end) for end in within([span], Fraction(2), Fraction(4))[0][3:]]
    [2.0, 3.0]
    """
    kept = overlapping(spans, first, last)
    return [each._replace(start=max(each.start, first), end=min(each.end, last)) for each in kept]


def shares(spans: Sequence[PlatformSpan], makespan: Fraction) -> dict[str, dict[str, Fraction]]:
    """Return for every part the seconds of each kind, and what is left of the makespan as ``waiting``.

    Kinds may overlap on a part with double buffering; ``waiting`` is the time in which none of them is there. What is
    there twice at a time, as flows that share a port, counts once.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> times = (Fraction(0), half), (half, Fraction(1))
    >>> spans = [PlatformSpan("a", "compute", "s", *each) for each in times]
    >>> shares(spans, Fraction(2))
    {'a': {'compute': Fraction(1, 1), 'waiting': Fraction(1, 1)}}
    """
    result: dict[str, dict[str, Fraction]] = {}
    for part in parts(spans):
        own = [span for span in spans if span.where == part]
        took = {kind: covered([span for span in own if span.kind == kind]) for kind in KINDS}
        result[part] = {kind: time for kind, time in took.items() if time} | {"waiting": makespan - covered(own)}
    return result


def covered(spans: Sequence[PlatformSpan]) -> Fraction:
    """Return the length of the union of spans."""
    total, until = Fraction(0), Fraction(0)
    for span in sorted(spans, key=lambda each: each.start):
        if span.end > until:
            total += span.end - max(span.start, until)
            until = span.end
    return total


def utilisation(spans: Sequence[PlatformSpan], makespan: Fraction) -> dict[str, float]:
    """Return for every part the share of the makespan in which it works: moving, computing, sending."""
    busy = [span for span in spans if span.kind not in ("latency", "gap", "port")]
    return {
        part: float(covered([span for span in busy if span.where == part]) / makespan) if makespan else 0.0
        for part in parts(spans)
    }
