"""The small input of flows: a star of hosts, and what is sent over it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.formats.small_json import entries, number, table, whole
from ppnsim.formats.values import shown
from ppnsim.messages.model.flows import FairFlow, Star

NEEDED = ("hosts", "bandwidth", "latency")
_SLOWEST = 1e-9  # bytes per second; with the bounds of all numbers, every finish fits in a float
_MOST_HOSTS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Flows:
    """A file."""

    star: Star
    flows: tuple[FairFlow, ...]


def read(data: object, _: Path) -> Flows:
    """Return the flows of a decoded file (see `parse_flows`)."""
    return parse_flows(data)


def parse_flows(data: object) -> Flows:
    """Return the flows of decoded JSON, checked.

    ``star`` holds hosts, bandwidth (B/s), latency (s) and perhaps backbone (B/s, null = without limit); ``flows`` is a
    list of ``[from, to, bytes, start in s]``.

    Raises
    ------
    InputError
        At the first fault, named by its key.

    Examples
    --------
    >>> star = {"hosts": 2, "bandwidth": 1e9, "latency": 1e-6}
    >>> parse_flows({"star": star, "flows": [[0, 1, 1000, 0]]}).flows
    (FairFlow(source=0, target=1, size=1000.0, start=0.0),)
    >>> parse_flows({"star": star, "flows": [[0, 1, 1000]]})
    Traceback (most recent call last):
    ppnsim.errors.InputError: flows[0]: [0, 1, 1000] must be [from, to, bytes, start]
    """
    keys = ("star", "flows")
    file = table(data, where="the file", needed=keys, known=keys)
    given = table(file["star"], where="star", needed=NEEDED, known=(*NEEDED, "backbone"))
    hosts = whole(given["hosts"], where="star", name="hosts")
    if hosts > _MOST_HOSTS:
        raise InputError(f"hosts = {hosts} is out of range (up to {_MOST_HOSTS} are taken)", where="star")
    backbone = given.get("backbone")
    star = Star(
        hosts=hosts,
        bandwidth=_bandwidth(given["bandwidth"], "bandwidth"),
        latency=number(given["latency"], where="star", name="latency"),
        backbone=None if backbone is None else _bandwidth(backbone, "backbone"),
    )
    flows = [_flow(flow, f"flows[{at}]") for at, flow in enumerate(entries(file["flows"], where="flows"))]
    return Flows(star=star, flows=star.checked(flows))


def _bandwidth(value: object, name: str) -> float:
    rate = number(value, where="star", name=name)
    if 0 < rate < _SLOWEST:
        raise InputError(f"{name} = {rate} is out of range (from {_SLOWEST:g} B/s on)", where="star")
    return rate


def _flow(value: object, where: str) -> FairFlow:
    if not isinstance(value, list) or len(value) != 4:
        raise InputError(f"{shown(value)} must be [from, to, bytes, start]", where=where)
    source, target, size, start = value
    return FairFlow(
        source=whole(source, where=where, name="from"),
        target=whole(target, where=where, name="to"),
        size=number(size, where=where, name="bytes"),
        start=number(start, where=where, name="start"),
    )
