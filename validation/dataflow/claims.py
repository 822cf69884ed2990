"""A (C)SDF graph whose capacities are depths, so that they can be searched.

A capacity is claimed at the start of the producer's firing and given back at the end of the consumer's. An actor is
therefore two processes without duration: ``A.start`` takes the inputs and claims room for the outputs; ``A.end``, as
much later as the firing takes, gives the room of the inputs back and puts the outputs. The data of a channel goes from
end to start without limit; its room is a second channel, from start to end, which holds a token from claim to return.
"""

from __future__ import annotations

from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.tokens import Rates
from validation.dataflow.data import Case


def claims_network(case: Case) -> tuple[Network, list[str]]:
    """Return a graph for one iteration, and the channels that hold the room, whose depths are the capacities.

    Self-loops have no room of their own: the data file does not size them.
    """
    repeats = case["repetition_vector_phases"]
    processes, channels = [], []
    for actor in case["actors"]:
        for end in ("start", "end"):
            processes.append(
                Process(name=f"{actor['name']}.{end}", firings=repeats[actor["name"]], ii=0, latency=0, read=0, write=0)
            )
        channels += _durations(actor)
    rooms = []
    for c in case["channels"]:
        rates = Rates(_phases(c["prod_rates"]), _phases(c["cons_rates"]))
        data = {"tokens": rates, "initial": c["initial_tokens"], "forward": 0, "release": 0}
        channels.append(Channel(name=c["name"], source=f"{c['src']}.end", target=f"{c['dst']}.start", **data))
        if c["src"] != c["dst"]:
            rooms.append(f"{c['name']}.room")
            channels.append(Channel(name=rooms[-1], source=f"{c['src']}.start", target=f"{c['dst']}.end", **data))
    return Network(name=case["id"], processes=processes, channels=channels, clock_ns=1.0), rooms


def _durations(actor: Case) -> list[Channel]:
    """Return a channel from start to end per duration of an actor, used in the phases that take so long."""
    phases = _phases(actor["execution_time"])
    channels = []
    for cycles in sorted(set(phases)):
        used = tuple(int(each == cycles) for each in phases)
        rates = Rates((1,), (1,)) if all(used) else Rates(used, used)
        channels.append(
            Channel(
                name=f"{actor['name']}.{cycles}", source=f"{actor['name']}.start", target=f"{actor['name']}.end",
                tokens=rates, forward=cycles, release=0,
            )
        )  # fmt: skip
    return channels


def _phases(values: int | list[int]) -> tuple[int, ...]:
    return (values,) if isinstance(values, int) else tuple(values)
