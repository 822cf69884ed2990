"""Ports of tasks on buses: their processes in the network, and their arguments in the source (R12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ppnsim.arrays import Int64Array
from ppnsim.loops.position import Position

if TYPE_CHECKING:
    from ppnsim.model.elements import Channel, Process


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BusPort:
    """The port of one task for reading, or for writing, over one bus (R12).

    Attributes
    ----------
    arrays, task, bundle : the arguments, the task that accesses them, and the bus.
    width : bytes of a beat.
    bursts : bursts in all runs.
    outstanding : bursts that may be under way.
    sharing : number of tasks that share this direction of the bus.
    longest : most beats of a burst.
    latency : states of an access.
    runs : runs of the task.
    per_piece : requests to the memory that one firing of the task stands for.
    memory, bus : the processes: one firing for each request to the memory, and one for each beat.
    channels : channels between these processes and the task.
    addresses : address of each request in bytes, shape (requests,); None if the addresses depend on data.
    place : the first access in the source.
    """

    arrays: tuple[str, ...]
    task: str
    bundle: str
    write: bool
    width: int
    bursts: int
    outstanding: int
    sharing: int
    longest: int
    latency: int
    runs: int
    per_piece: int
    memory: Process
    bus: Process
    channels: tuple[Channel, ...]
    addresses: Int64Array | None
    place: Position

    @property
    def resource(self) -> str | None:
        """The resource that several ports share; None if the port shares none."""
        return self.bus.resource


@dataclass(frozen=True, slots=True)
class BusPorts:
    """All ports on buses of a kernel's regions.

    Attributes
    ----------
    without : arguments that are accessed over a bus and have no port, with the reason.
    resources : units of each direction of a bus that several ports share.
    """

    ports: tuple[BusPort, ...] = ()
    without: Mapping[str, str] = field(default_factory=dict)
    resources: Mapping[str, int] = field(default_factory=dict)

    def unported(self) -> Iterator[str]:
        """Yield a sentence for each argument without a port."""
        words = "has no port; its accesses take the latency of the interface, whatever else its bus does"
        return (f"'{name}' {words}: {reason}" for name, reason in self.without.items())

    @property
    def processes(self) -> list[Process]:
        """The processes of all ports."""
        return [each for port in self.ports for each in (port.memory, port.bus)]
