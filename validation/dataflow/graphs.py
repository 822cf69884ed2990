"""From a case of the data file to a network of a number of graph iterations."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.model.builders import sdf
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.tokens import Rates
from validation.dataflow.data import Case


def sdf_network(case: Case, iterations: int, sizes: Mapping[str, int] | None = None) -> Network:
    """Return an SDF or CSDF graph: capacity claimed at the producer's start, given back at the consumer's end."""
    return sdf(
        {actor["name"]: actor["execution_time"] for actor in case["actors"]},
        {
            c["name"]: (c["src"], c["prod_rates"], c["cons_rates"], c["dst"], c["initial_tokens"])
            for c in case["channels"]
        },
        firings={name: count * iterations for name, count in case["repetition_vector_phases"].items()},
        capacities=sizes,
    )


def pipelined_network(case: Case, iterations: int) -> Network:
    """Return a pipelined case: elastic, read = write = forward = release = 0."""
    repeats = case["repetition_vector"]
    return Network(
        processes=[
            Process(
                name=p["name"], firings=repeats[p["name"]] * iterations, ii=p["II"], latency=p["L"], read=0, write=0
            )
            for p in case["processes"]
        ],
        channels=[
            Channel(
                name=c["name"], source=c["src"], target=c["dst"], tokens=Rates((c["prod_rates"],), (c["cons_rates"],)),
                depth=c["capacity"], initial=c["initial_tokens"], forward=0, release=0,
            )
            for c in case["channels"]
        ],
    )  # fmt: skip


def ppn_network(case: Case, iterations: int, *, convention: str, sizes: str) -> Network:
    """Return a polyhedral process network derived by pn, executed ``iterations`` times.

    Processes are sequential: ii = latency = worst-case execution time, access in no time. ``convention`` ``ppn`` needs
    a slot at the write and frees it at the read (a depth); ``csdf`` claims it at the producer's start and frees it at
    the consumer's end (credits back). Self-channels are left out, as the reference simulator does.
    """
    channels = []
    for c in case["channels"]:
        if c["src"] == c["dst"]:
            continue
        put, take = tuple(map(int, c["prod_per_firing"])), tuple(map(int, c["cons_per_firing"]))
        size = _size(c, sizes)
        depth = size if convention == "ppn" else None
        channels.append(
            Channel(
                name=c["id"], source=c["src"], target=c["dst"], tokens=Rates(put, take), depth=depth, forward=0,
                release=0,
            )
        )  # fmt: skip
        if convention == "csdf" and size is not None:
            channels.append(
                Channel(
                    name=f"{c['id']}.space", source=c["dst"], target=c["src"], tokens=Rates(take, put), initial=size,
                    forward=0, release=0,
                )
            )  # fmt: skip
    return Network(
        processes=[
            Process(name=p["name"], firings=p["firings"] * iterations, ii=p["wcet"], latency=p["wcet"], read=0, write=0)
            for p in case["processes"]
        ],
        channels=channels,
    )


def _size(channel: Case, sizes: str) -> int | None:
    pn, sequential = int(channel["pn_size"]), int(channel["min_occupancy_sequential_schedule"])
    return {
        "unbounded": None, "pn_sizes": pn, "pn_sizes_plus1": pn + 1, "min_sequential_occupancy": sequential,
    }[sizes]  # fmt: skip
