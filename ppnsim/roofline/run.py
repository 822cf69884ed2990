"""The memory side of a roofline, simulated: each argument's traffic through the DRAM bank queue, port by port."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ppnsim.errors import InputError
from ppnsim.memory.laws import ceilings
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.traffic import Port, Traffic
from ppnsim.memory.run.curves import explain
from ppnsim.memory.run.traffic import run_memory
from ppnsim.roofline.accelerator import Accelerator, Argument
from ppnsim.roofline.ceilings import PortCeilings

UNLIMITED = 64
"""Requests under way of an argument that gives no queue: about the most that AXI interfaces of HLS tools allow."""
AGREES = 0.02
"""Share of the ceiling; smaller differences need no reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedPort:
    """Bandwidth of a port alone on its bank in GB/s beside the ceiling of its pattern, and why they differ."""

    argument: str
    bandwidth: float
    latency: float
    ceiling: float
    because: str


def traffic_of(argument: Argument, accelerator: Accelerator, dram: Dram, requests: int) -> Traffic:
    """Return the requests of an argument: a paced stream, paced segments at random places, or chains of them."""
    burst = -(-argument.segment // dram.request_bytes)
    if argument.pattern == "dependent":
        return Traffic(pattern="chain", burst=burst, outstanding=argument.chains, requests=requests)
    port = Port(quanta=argument.quanta, clock_ns=accelerator.clock_ns)
    # A quantum wider than the memory's port is several requests, all in the queue at once.
    limit = (argument.outstanding or UNLIMITED) * -(-argument.quanta // dram.request_bytes)
    if argument.pattern == "random":
        return Traffic(pattern="rowbuf", burst=burst, outstanding=limit, port=port, requests=requests)
    return Traffic(pattern="seq", outstanding=limit, port=port, requests=requests)


def simulated_ports(
    accelerator: Accelerator, ports: tuple[PortCeilings, ...], *, requests: int = 10_000,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[SimulatedPort]:  # fmt: skip
    """Yield the simulation of every port whose memory is a DRAM, one by one.

    Raises
    ------
    InputError
        If a port asks for more than a memory can be simulated with.
    """
    for number, (argument, port) in enumerate(zip(accelerator.arguments, ports, strict=True)):
        found = accelerator.memory(argument.memory).dram
        if found is not None:
            dram = replace(found, channels=1)
            traffic = traffic_of(argument, accelerator, dram, requests)
            try:
                run = run_memory(dram, traffic)
            except InputError as error:
                raise InputError(f"it cannot be simulated: {error}", where=f"argument '{argument.name}'") from None
            bandwidth = run.bandwidth_gbps
            if traffic.port is None:
                bandwidth = _of_chain(bandwidth, argument, port, traffic.burst * dram.request_bytes, dram.peak_gbps)
            because = ""
            top = ceilings(dram).peak
            if accelerator.memory(argument.memory).peak is not None and bandwidth < port.reached and port.reached > top:
                because = f"the DRAM itself sustains {top:.4g} GB/s, less than the peak_GBps that is given for it"
            elif abs(bandwidth / port.reached - 1) > AGREES:
                because = explain(dram, traffic, bandwidth, port.reached, limited=bool(argument.outstanding))
            yield SimulatedPort(
                argument=argument.name, bandwidth=bandwidth, latency=run.latency_ns, ceiling=port.reached,
                because=because,
            )  # fmt: skip
        if progress is not None:
            progress(number + 1, len(ports))


def _of_chain(bandwidth: float, argument: Argument, port: PortCeilings, fetched: int, peak: float) -> float:
    """Return the payload's bandwidth of a chain that fetches whole requests; a narrow port needs longer for them."""
    useful = bandwidth * argument.segment / fetched
    longer = max(0.0, argument.segment / port.asked - fetched / peak)
    return 1 / (1 / useful + longer / argument.segment)
