"""A plain C loop for exactly one network of plain channels, as one would write it by hand: the bar for speed.

One loop over the firings, the recurrences of all processes in it, depths and latencies as constants, what is looked
back at in rings whose size is a power of two. Processes are elastic or flushable.

A flushable pipeline (T3.2) counts beats, which are cycles that are not held. A start takes the first beat that is
ready; the writes that are due by then have held the pipeline before. A write is due a fixed number of beats after its
start, and holds the pipeline until there is a slot.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

from ppnsim.model.network import Channel, Network


def c_loop(network: Network, folder: Path) -> Callable[[int], int]:
    """Compile the loop; the function returned takes the number of firings and returns the finish."""
    (folder / "loop.c").write_text(source(network))
    command = ["gcc", "-O2", "-shared", "-fPIC", "-o", str(folder / "loop.so"), str(folder / "loop.c")]
    subprocess.run(command, check=True)
    run = ctypes.CDLL(str(folder / "loop.so")).run
    run.argtypes, run.restype = [ctypes.c_int64], ctypes.c_int64
    return lambda firings: int(run(firings))


def source(network: Network) -> str:
    names = [process.name for process in network.processes]
    flying = {name: max(network.steps[name].capacity or 1, network.steps[name].deepest + 2) for name in names}
    back = [*flying.values(), *(max(channel.depth or 0, channel.initial) for channel in network.channels)]
    ring = 1 << max(back).bit_length()
    last = ", ".join(state(network, name) for name in names)
    rings = ", ".join(f"S_{name}[{ring}], E_{name}[{ring}], D_{name}[{ring}]" for name in names)
    clear = " ".join(f"S_{name}[k] = E_{name}[k] = NONE;" for name in names)
    body = "\n".join(f"        {line}" for name in in_order(network) for line in process_lines(network, name, ring - 1))
    ends = "\n".join(
        f"    if (e_{process.name} + {network.steps[process.name].write} > end) "
        f"end = e_{process.name} + {network.steps[process.name].write};"
        for process in network.processes
    )
    return f"""#include <stdint.h>
#define NONE (-((int64_t)1 << 60))
static int64_t {rings};

int64_t run(int64_t firings) {{
    int64_t {last}, t, end = 0;
    for (int k = 0; k < {ring}; k++) {{ {clear} }}
    for (int64_t n = 0; n < firings; n++) {{
{body}
    }}
{ends}
    return end;
}}
"""


def in_order(network: Network) -> list[str]:
    sorter: TopologicalSorter[str] = TopologicalSorter({process.name: () for process in network.processes})
    for channel in network.channels:
        if not channel.initial:
            sorter.add(channel.target, channel.source)
    return list(sorter.static_order())


def process_lines(network: Network, name: str, mask: int) -> Iterator[str]:
    if network.process(name).style == "flushable":
        yield from flushable_lines(network, name, mask)
        return
    process, steps = network.process(name), network.steps[name]
    yield f"t = s_{name} + {process.ii};"
    yield "if (t < 0) t = 0;"
    yield later(f"E_{name}[(n - {steps.capacity}) & {mask}]")
    for channel in network.inputs(name):
        yield later(f"{token(channel, mask)} + {network.forward(channel.name)}")
    yield f"s_{name} = S_{name}[n & {mask}] = t;"
    yield f"t += {steps.deepest};"
    yield later(f"e_{name} + 1")
    yield from slot_lines(network, name, mask)
    yield f"e_{name} = E_{name}[n & {mask}] = t;"


def flushable_lines(network: Network, name: str, mask: int) -> Iterator[str]:
    """Write beat ``b`` of the last start and beats ``h`` held by then, first write ``m`` due after it, ``g`` held."""
    depth, due = network.steps[name].deepest, f"D_{name}[m_{name} & {mask}]"
    yield f"b_{name} += {network.process(name).ii};"
    yield "t = 0;"
    for channel in network.inputs(name):
        yield later(f"{token(channel, mask)} + {network.forward(channel.name)}")
    if network.outputs(name):
        yield f"while (m_{name} < n && ({due} <= b_{name} || {due} <= t - h_{name})) {{"
        yield f"    if ({due} > b_{name}) b_{name} = {due};"
        yield f"    h_{name} = E_{name}[m_{name} & {mask}] - {due};"
        yield f"    m_{name}++;"
        yield "}"
    yield f"if (t - h_{name} > b_{name}) b_{name} = t - h_{name};"
    yield f"S_{name}[n & {mask}] = b_{name} + h_{name};"
    yield f"D_{name}[n & {mask}] = b_{name} + {depth};"
    yield f"t = b_{name} + {depth} + g_{name};"
    yield from slot_lines(network, name, mask)
    yield f"e_{name} = E_{name}[n & {mask}] = t;"
    yield f"g_{name} = t - (b_{name} + {depth});"


def slot_lines(network: Network, name: str, mask: int) -> Iterator[str]:
    for channel in network.outputs(name):
        if channel.depth is not None:
            slot = f"S_{channel.target}[(n - {channel.depth - channel.initial}) & {mask}]"
            yield later(f"{slot} + {network.release(channel.name)}")


def state(network: Network, name: str) -> str:
    """Return the variables of a process with what they are before the first firing."""
    process = network.process(name)
    if process.style == "flushable":
        return f"e_{name} = NONE, b_{name} = {-process.ii}, h_{name} = 0, g_{name} = 0, m_{name} = 0"
    return f"s_{name} = NONE, e_{name} = NONE"


def token(channel: Channel, mask: int) -> str:
    return f"E_{channel.source}[(n - {channel.initial}) & {mask}]" if channel.initial else f"e_{channel.source}"


def later(value: str) -> str:
    return f"if ({value} > t) t = {value};"
