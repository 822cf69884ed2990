"""The JSON of flows: a star of hosts, and what is sent over it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, PlainValidator

from ppnsim.formats import values
from ppnsim.formats.complaints import validated
from ppnsim.formats.schema import Keys, Real, Row, Whole
from ppnsim.messages.model.flows import FairFlow, Star

_SLOWEST = 1e-9  # bytes per second; with the largest number of files, every finish fits in a float
_MOST_HOSTS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Flows:
    """A file."""

    star: Star
    flows: tuple[FairFlow, ...]


def _hosts(value: object) -> int:
    hosts = values.whole(value)
    if hosts > _MOST_HOSTS:
        raise values.rule(f"is out of range (up to {_MOST_HOSTS} are taken)")
    return hosts


def _bandwidth(value: object) -> float:
    rate = values.real(value)
    if 0 < rate < _SLOWEST:
        raise values.rule(f"is out of range (from {_SLOWEST:g} B/s on)")
    return rate


Bandwidth = Annotated[float, PlainValidator(_bandwidth)]


class StarKeys(Keys):
    """``star``: bandwidths in bytes per second, the latency in seconds; no backbone = none that limits."""

    hosts: Annotated[int, PlainValidator(_hosts)]
    bandwidth: Bandwidth
    latency: Real
    backbone: Bandwidth | None = None


class FlowRow(Row):
    """An entry of ``flows``; the start is in seconds."""

    source: Whole = Field(alias="from")
    target: Whole = Field(alias="to")
    size: Real = Field(alias="bytes")
    start: Real


class FlowsJson(Keys):
    """A whole file."""

    star: StarKeys
    flows: list[FlowRow]


def parse_flows(data: object) -> Flows:
    """Return the flows of decoded JSON, checked.

    ``star`` holds hosts, bandwidth (B/s), latency (s) and perhaps backbone (B/s, null = without limit); ``flows`` is a
    list of ``[from, to, bytes, start in s]``.

    Raises
    ------
    InputError
        With all faults of form at once, one line each, or with the first rule that a flow breaks.

    Examples
    --------
    >>> star = {"hosts": 2, "bandwidth": 1e9, "latency": 1e-6}
    >>> parse_flows({"star": star, "flows": [[0, 1, 1000, 0]]}).flows
    (FairFlow(source=0, target=1, size=1000.0, start=0.0),)
    >>> parse_flows({"star": star, "flows": [[0, 1, 1000], [0, 0.5, "1 MB", 0]]})
    Traceback (most recent call last):
    ppnsim.errors.InputError: flows[0] = [0, 1, 1000] must be [from, to, bytes, start]
    flows[1]: to = 0.5 must be a whole number
    flows[1]: bytes = '1 MB' must be a number
    """
    file = validated(FlowsJson, data)
    star = Star(**dict(file.star))
    return Flows(star=star, flows=star.checked([FairFlow(**dict(row)) for row in file.flows]))
