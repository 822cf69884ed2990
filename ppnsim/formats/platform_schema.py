"""The keys of platform files, table by table, and what becomes of them in the model."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, cast, get_args

from pydantic import Field, PlainValidator

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats import values
from ppnsim.formats.platform_values import (
    Bandwidth,
    Efficiency,
    Flag,
    Hertz,
    PerByte,
    Port,
    Seconds,
)
from ppnsim.formats.schema import Keys, Resources, Text, Whole
from ppnsim.platform.buses import Bus, BusDirection, DelayCount
from ppnsim.platform.nodes import ORIGINS, Interconnect, Kind, MemoryGroup, NodeGroup, Receiving, Sharing


def one_of(choice: Any) -> PlainValidator:
    """Return the check that a value is one of a Literal's."""
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
KindName = Annotated[Kind, one_of(Kind)]
SharingName = Annotated[Sharing, one_of(Sharing)]


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
    receiving: Annotated[Receiving, one_of(Receiving)] = "full"
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
    latency: Annotated[DelayCount, one_of(DelayCount)] = "once"
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
    provenance: Provenance = Field(default_factory=dict)

    def build(self, name: str) -> MemoryGroup:
        """Return the memories."""
        return MemoryGroup(name=name, **dict(self))
