"""The keys of platform files, table by table, and what becomes of them in the model."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import Field, PlainValidator

from ppnsim.boards.files import find_board
from ppnsim.errors import InputError, located
from ppnsim.formats import values
from ppnsim.formats.quantities import (
    Bandwidth,
    Bytes,
    Efficiency,
    Flag,
    Hertz,
    Number,
    PerByte,
    Port,
    Provenance,
    Seconds,
    one_of,
)
from ppnsim.formats.schema import Keys, Text, Whole, Wholes
from ppnsim.memory.files.keys import MemoryGroupKeys
from ppnsim.messages.model.loggp import Receiving, Sharing
from ppnsim.platform.model.nodes import Bus, BusDirection, DelayCount, Direction, Interconnect, Kind, NodeGroup
from ppnsim.platform.model.stages import Algorithm, BusTransfer, Collective, Compute, Pattern, Transfer


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


class TransferKeys(Keys):
    """``[[stage.NAME.input]]`` and ``output``: over a network (``pattern``) or over a bus (``direction``)."""

    name: Text
    over: Text
    bytes: Bytes | None = None
    total: Bytes | None = None
    pattern: Annotated[Pattern, one_of(Pattern)] | None = None
    algorithm: Annotated[Algorithm, one_of(Algorithm)] | None = None
    root: Text | None = None
    group: Text | None = None
    overlapped: Flag = False
    cost: PerByte | None = None
    element: Bytes = 1
    direction: Annotated[Direction, one_of(Direction)] | None = None
    block: Bytes | None = None

    def build(self, *, network: Interconnect | None, nodes: int) -> Transfer:
        """Return the transfer; ``nodes`` share its total."""
        size = shared_out("bytes", self.bytes, "total", self.total, nodes)
        if network is None:
            self._refuse(("pattern", "algorithm", "root", "group", "cost"), "a bus")
            if self.direction is None:
                raise InputError("direction is missing (write, read or both)")
            block = size if self.block is None else self.block
            return BusTransfer(name=self.name, over=self.over, direction=self.direction, size=size, block=block)
        self._refuse(("direction", "block"), "a network")
        if self.pattern is None:
            raise InputError("pattern is missing (scatter, broadcast, gather or reduce)")
        if self.algorithm is None:
            raise InputError("algorithm is missing (binomial, linear, serialised or ring)")
        return Collective(
            name=self.name, over=self.over, pattern=self.pattern, algorithm=self.algorithm, size=size,
            root=self.root or network.connects[0], group=self.group or network.connects[-1],
            overlapped=self.overlapped, cost=self.cost or Fraction(0), element=self.element,
        )  # fmt: skip

    def _refuse(self, keys: tuple[str, ...], medium: str) -> None:
        for key in keys:
            if getattr(self, key) is not None:
                raise InputError(f"{key} is not for a transfer over {medium}")


class ComputeKeys(Keys):
    """``[stage.NAME.compute]``."""

    on: Text
    elements: Whole | None = None
    total: Whole | None = None
    ops_per_element: Whole
    ops_per_cycle: Number
    fill: Whole = 0
    reads: Bytes | None = None

    def build(self, nodes: int) -> Compute:
        """Return the computation; ``nodes`` share its total."""
        elements = shared_out("elements", self.elements, "total", self.total, nodes)
        return Compute(
            on=self.on, elements=elements, ops_per_element=self.ops_per_element, ops_per_cycle=self.ops_per_cycle,
            fill=self.fill, reads=self.reads,
        )  # fmt: skip


class StageKeys(Keys):
    """``[stage.NAME]``."""

    compute: ComputeKeys
    input: list[TransferKeys] = Field(default_factory=list)
    output: list[TransferKeys] = Field(default_factory=list)
    iterations: Whole | None = None
    overlap: Flag | None = None
    blocking: Flag | None = None
    configuration: Seconds | None = None
    preprocessing: Seconds | None = None
    postprocessing: Seconds | None = None
    microprocessor: Seconds | None = None
    buffers: Whole | None = None


class ApplicationKeys(Keys):
    """``[application]``."""

    iterations: Whole | None = None
    pipelined: Flag | None = None
    software: Seconds | None = None


def shared_out(key: str, each: int | None, total_key: str, total: int | None, nodes: int) -> int:
    """Return the share of each node, given as such or as a total; of an uneven one the largest, which is waited for."""
    if (each is None) == (total is None):
        raise InputError(f"give either {key} of each node or the {total_key} of all {nodes}")
    if each is not None:
        return each
    assert total is not None
    if total < 0:
        raise InputError(f"{total_key} = {total} is negative")
    return -(-total // nodes)
