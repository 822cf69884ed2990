"""The keys of platform files, table by table, and what becomes of them in the model."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, cast, get_args

from pydantic import Field, PlainValidator

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats import values
from ppnsim.formats.platform_values import (
    Bandwidth,
    Bytes,
    Efficiency,
    Flag,
    Hertz,
    Number,
    PerByte,
    Port,
    Seconds,
)
from ppnsim.formats.schema import Keys, Resources, Text, Whole
from ppnsim.platform.nodes import (
    ORIGINS,
    Bus,
    BusDirection,
    DelayCount,
    Direction,
    Interconnect,
    Kind,
    MemoryGroup,
    NodeGroup,
    Receiving,
    Sharing,
)
from ppnsim.platform.stages import Algorithm, BusTransfer, Collective, Compute, Pattern, Transfer


def _one_of(choice: Any) -> PlainValidator:
    names = get_args(choice)

    def check(value: object) -> object:
        if value not in names:
            hint = did_you_mean(value, names) if isinstance(value, str) else ""
            raise values.rule(f"is none of {', '.join(names)}" + (hint if "did you mean" in hint else ""))
        return value

    return PlainValidator(check)


def _provenance(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise values.rule("must be a table of words by parameter")
    for key, words in value.items():
        if not isinstance(words, str) or not words.startswith(ORIGINS):
            raise values.rule(f"must begin with {', '.join(ORIGINS)}", at=f".{key}", value=words)
    return cast("dict[str, str]", value)


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise values.rule("must list names of nodes")
    return tuple(value)


Provenance = Annotated[dict[str, str], PlainValidator(_provenance)]
Names = Annotated[tuple[str, ...], PlainValidator(_names)]
KindName = Annotated[Kind, _one_of(Kind)]
SharingName = Annotated[Sharing, _one_of(Sharing)]


class NodeKeys(Keys):
    """``[node.NAME]``; ``count`` may name another group, which has as many."""

    kind: KindName
    count: Whole | Text = 1
    clock: Hertz | None = None
    port: Port | None = None
    device: Text = ""
    resources: Resources = Field(default_factory=dict)
    provenance: Provenance = Field(default_factory=dict)

    def build(self, name: str, count: int) -> NodeGroup:
        """Return the group of nodes."""
        return NodeGroup(name=name, **{**dict(self), "count": count})


class NetworkKeys(Keys):
    """``[network.NAME]``."""

    connects: Names
    latency: Seconds
    overhead: Seconds = Fraction(0)
    gap: Seconds = Fraction(0)
    per_byte: PerByte
    sharing: SharingName = "fifo"
    receiving: Annotated[Receiving, _one_of(Receiving)] = "full"
    provenance: Provenance = Field(default_factory=dict)

    def build(self, name: str) -> Interconnect:
        """Return the network."""
        return Interconnect(name=name, **dict(self))


class DirectionKeys(Keys):
    """``[bus.NAME.write]`` and ``[bus.NAME.read]``."""

    delay: Seconds
    rate: Bandwidth
    efficiency: Efficiency
    clamp: Flag = False


class BusKeys(Keys):
    """``[bus.NAME]``."""

    host: Text
    device: Text
    write: DirectionKeys
    read: DirectionKeys
    latency: Annotated[DelayCount, _one_of(DelayCount)] = "once"
    sharing: SharingName = "fifo"
    shared: Flag = False
    provenance: Provenance = Field(default_factory=dict)

    def build(self, name: str) -> Bus:
        """Return the bus."""
        ways = {}
        for way in ("write", "read"):
            try:
                ways[way] = BusDirection(**dict(getattr(self, way)))
            except InputError as error:
                raise InputError(str(error), where=f"bus '{name}': {way}") from None
        return Bus(name=name, **{**dict(self), **ways})


class MemoryKeys(Keys):
    """``[memory.NAME]``."""

    on: Text
    preset: Text
    channels: Whole = 1
    provenance: Provenance = Field(default_factory=dict)

    def build(self, name: str) -> MemoryGroup:
        """Return the memories."""
        return MemoryGroup(name=name, **dict(self))


class TransferKeys(Keys):
    """``[[stage.NAME.input]]`` and ``output``: over a network (``pattern``) or over a bus (``direction``)."""

    name: Text
    over: Text
    bytes: Bytes | None = None
    total: Bytes | None = None
    pattern: Annotated[Pattern, _one_of(Pattern)] | None = None
    algorithm: Annotated[Algorithm, _one_of(Algorithm)] | None = None
    root: Text | None = None
    group: Text | None = None
    overlapped: Flag = False
    cost: PerByte | None = None
    element: Bytes = 1
    direction: Annotated[Direction, _one_of(Direction)] | None = None
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
    """``[stage.NAME]`` itself; its compute, inputs and outputs are tables of their own."""

    iterations: Whole = 1
    overlap: Flag = False
    blocking: Flag = True
    configuration: Seconds = Fraction(0)
    preprocessing: Seconds = Fraction(0)
    postprocessing: Seconds = Fraction(0)
    microprocessor: Seconds = Fraction(0)
    buffers: Whole = 2


class ApplicationKeys(Keys):
    """``[application]``."""

    iterations: Whole = 1
    pipelined: Flag = False
    software: Seconds | None = None


def shared_out(key: str, each: int | None, total_key: str, total: int | None, nodes: int) -> int:
    """Return the share of each node, given as such or as a total."""
    if (each is None) == (total is None):
        raise InputError(f"give either {key} of each node or the {total_key} of all {nodes}")
    if each is not None:
        return each
    assert total is not None
    if total % nodes:
        raise InputError(f"{total_key} = {total} cannot be shared out evenly to {nodes} nodes")
    return total // nodes
