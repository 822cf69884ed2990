"""The keys of platform files, table by table, and what becomes of them in the model."""

from __future__ import annotations

from typing import Annotated

from pydantic import PlainValidator

from ppnsim.boards.files import find_board
from ppnsim.errors import located
from ppnsim.formats import values
from ppnsim.formats.quantities import Bandwidth, Efficiency, Flag, Hertz, PerByte, Port, Provenance, Seconds, one_of
from ppnsim.formats.schema import Keys, Text, Whole, Wholes
from ppnsim.memory.files.keys import MemoryGroupKeys
from ppnsim.messages.model.loggp import Receiving, Sharing
from ppnsim.platform.model.buses import Bus, BusDirection, DelayCount
from ppnsim.platform.model.nodes import Interconnect, Kind, NodeGroup


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise values.rule("must list names of nodes")
    return tuple(value)


Names = Annotated[tuple[str, ...], PlainValidator(_names)]
KindName = Annotated[Kind, one_of(Kind)]
SharingName = Annotated[Sharing, one_of(Sharing)]


class NodeKeys(Keys):
    """``[node.NAME]``; ``count`` may name another group, which has as many."""

    kind: KindName
    count: Whole | Text = 1
    clock: Hertz | None = None
    port: Port | None = None
    device: Text | None = None
    resources: Wholes | None = None
    provenance: Provenance | None = None

    def build(self, name: str, count: int) -> NodeGroup:
        """Return the group of nodes; the resources of a known board need not be given."""
        given = {**self.given(), "count": count}
        board = find_board(self.device) if self.device and self.resources is None else None
        if board is not None:
            told = {"resources": f"data sheet: {board.resources_provenance}"} if board.resources_provenance else {}
            given |= {"resources": board.resources, "provenance": told | (self.provenance or {})}
        return NodeGroup(name=name, **given)


class NetworkKeys(Keys):
    """``[network.NAME]``."""

    connects: Names
    latency: Seconds
    overhead: Seconds | None = None
    gap: Seconds | None = None
    per_byte: PerByte
    efficiency: Efficiency | None = None
    clamp: Flag | None = None
    sharing: SharingName | None = None
    receiving: Annotated[Receiving, one_of(Receiving)] | None = None
    provenance: Provenance | None = None

    def build(self, name: str) -> Interconnect:
        """Return the network."""
        return Interconnect(name=name, **self.given())


class DirectionKeys(Keys):
    """``[bus.NAME.write]`` and ``[bus.NAME.read]``."""

    delay: Seconds
    rate: Bandwidth
    efficiency: Efficiency
    clamp: Flag | None = None


class BusKeys(Keys):
    """``[bus.NAME]``."""

    host: Text
    device: Text
    write: DirectionKeys
    read: DirectionKeys
    latency: Annotated[DelayCount, one_of(DelayCount)] | None = None
    sharing: SharingName | None = None
    shared: Flag | None = None
    provenance: Provenance | None = None

    def build(self, name: str) -> Bus:
        """Return the bus."""
        ways = {}
        for way in ("write", "read"):
            with located(f"bus '{name}': {way}"):
                ways[way] = BusDirection(**getattr(self, way).given())
        return Bus(name=name, **{**self.given(), **ways})


class MemoryKeys(MemoryGroupKeys):
    """``[memory.NAME]``."""

    on: Text
