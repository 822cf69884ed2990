"""SDF3 XML: dataflow graphs (SDF and CSDF) of SDF3, Kiter and others, as networks of a number of graph iterations.

Source: Stuijk, Geilen and Basten 2006 (SDF3), and the graphs that come with it. What a network does not need (areas,
memory of an actor's state, throughput constraints, mappings) is passed over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import lcm

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.complaints import checked
from ppnsim.formats.decode import DecodeError
from ppnsim.formats.values import LARGEST
from ppnsim.formats.xml_tree import Element
from ppnsim.model.builders import sdf
from ppnsim.model.network import Channel, Network
from ppnsim.model.repetition import repetition_vector
from ppnsim.model.tokens import Rates

_MOST_PHASES = 1_000_000
_MOST_FIRINGS = 2**40  # of all actors together; what an engine takes is for the engine to say
_GRAPHS = ("sdf", "csdf")


@dataclass(frozen=True, slots=True)
class _Actor:
    """What an actor says: its execution times, one per phase, and its ports by name as (direction, rates)."""

    times: tuple[int, ...]
    ports: dict[str, tuple[str, tuple[int, ...]]]

    @property
    def phases(self) -> int:
        return max(len(self.times), *(len(rates) for _, rates in self.ports.values()), 1)


def parse_sdf3(root: Element, *, iterations: int = 1) -> Network:
    """Return ``iterations`` graph iterations of the graph in a decoded SDF3 file, its buffer sizes as depths.

    An actor is an elastic process with ii 0, latency its execution time, read = write = 0: tokens are consumed at the
    start and produced at the end of a firing, and any number of firings are in flight unless a self-loop limits them,
    in which a firing's tokens never overtake those of an earlier one. What a depth counts is for `convention`.

    Raises
    ------
    InputError
        With the line of the element that lacks an attribute, holds a wrong number or names what does not exist.
    """
    kind, graph, properties = _parts(root)
    times = dict(_times(properties, kind))
    actors = {}
    for element in graph.all("actor"):
        name = element.text("name")
        if name in actors:
            element.refuse("is declared twice (names are unique)")
        actors[name] = _actor(element, times.pop(name, None), kind)
    for name, (element, _) in times.items():
        element.refuse(f"actor = '{name}' is not an actor of the graph{did_you_mean(name, actors)}")
    if not actors:
        graph.refuse("has no actor")
    channels = _channels(graph, actors, properties)
    repetition = repetition_vector({name: actor.phases for name, actor in actors.items()}, channels)
    firings = {name: count * iterations for name, count in repetition.items()}
    if sum(firings.values()) > _MOST_FIRINGS:
        raise InputError(f"{iterations} graph iterations are {sum(firings.values())} firings (at most 2**40)")
    # What is an actor as a process, `sdf` knows; sizes and widths are ours to add.
    actors_alone = sdf({name: actor.times for name, actor in actors.items()}, {}, firings=firings)
    return checked(actors_alone.replace(name=graph.attributes.get("name", kind), channels=channels))


def _parts(root: Element) -> tuple[str, Element, Element | None]:
    """Return the kind of graph, the graph and its properties."""
    if root.tag != "sdf3":
        raise DecodeError(f"the root is <{root.tag}>, not <sdf3>", place=str(root.line))
    kind = root.text("type")
    if kind not in _GRAPHS:
        root.refuse(f"type = '{kind}' is none of sdf, csdf")
    application = root.first("applicationGraph") or root.refuse("holds no <applicationGraph>")
    graph = application.first(kind) or application.refuse(f"holds no <{kind}>, which type = '{kind}' announces")
    return kind, graph, application.first(f"{kind}Properties")


def _times(properties: Element | None, kind: str) -> Iterator[tuple[str, tuple[Element, tuple[int, ...]]]]:
    """Yield the execution times of each actor on its default processor, with the element that says them."""
    seen = set()
    for element in properties.all("actorProperties") if properties else ():
        name = element.text("actor")
        if name in seen:
            element.refuse(f"actor = '{name}' has its properties twice")
        seen.add(name)
        processors = list(element.all("processor"))
        chosen = [each for each in processors if each.attributes.get("default") == "true"] or processors[:1]
        if not chosen:
            continue  # the actor itself says then that its time is missing
        time = chosen[0].first("executionTime") or chosen[0].refuse("holds no <executionTime>")
        yield name, (element, _numbers(time, "time", kind))


def _actor(element: Element, properties: tuple[Element, tuple[int, ...]] | None, kind: str) -> _Actor:
    if properties is None:
        element.refuse(f"has no execution time (<actorProperties> with a <processor> and its <executionTime>, "
                       f"in <{kind}Properties>)")  # fmt: skip
    actor = _Actor(properties[1], {})
    for port in element.all("port"):
        name, direction = port.text("name"), port.text("type")
        if direction not in ("in", "out"):
            port.refuse(f"type = '{direction}' is neither in nor out")
        if name in actor.ports:
            port.refuse(f"is declared twice in actor '{element.text('name')}'")
        actor.ports[name] = (direction, _numbers(port, "rate", kind))
    counts = {f"port '{name}'": len(rates) for name, (_, rates) in actor.ports.items()} | {"time": len(actor.times)}
    for what, count in counts.items():
        if count not in (1, actor.phases):
            element.refuse(f"{what} lists {count} phases and others list {actor.phases} (all the same, or 1)")
    if lcm(*counts.values()) > _MOST_PHASES:
        element.refuse(f"goes through {actor.phases} phases (at most {_MOST_PHASES})")
    return actor


def _channels(graph: Element, actors: dict[str, _Actor], properties: Element | None) -> list[Channel]:
    """Return the channels; some graphs (those of DARTS) use a name again, which becomes ``NAME#2`` here."""
    described: dict[str, list[Element]] = {}
    for element in properties.all("channelProperties") if properties else ():
        described.setdefault(element.text("channel"), []).append(element)
    channels: list[Channel] = []
    connected: set[tuple[str, str]] = set()
    count: Counter[str] = Counter()
    for element in graph.all("channel"):
        given = element.text("name")
        count[given] += 1
        name = given if count[given] == 1 else f"{given}#{count[given]}"
        source, produce = _end(element, "src", "out", actors, connected)
        target, consume = _end(element, "dst", "in", actors, connected)
        initial = _number(element, "initialTokens", 0) if "initialTokens" in element.attributes else 0
        channel = Channel(name=name, source=source, target=target, tokens=Rates(produce, consume), initial=initial)
        own = described.get(given)
        channels.append(_sized(channel, own.pop(0)) if own else channel)
    for name, elements in described.items():
        if elements and name in count:
            elements[0].refuse(f"channel = '{name}' has its properties already")
        if elements:
            elements[0].refuse(f"channel = '{name}' is not a channel of the graph{did_you_mean(name, count)}")
    return channels


def _end(
    element: Element, side: str, direction: str, actors: dict[str, _Actor], connected: set[tuple[str, str]]
) -> tuple[str, tuple[int, ...]]:
    """Return the actor and the rates at one end of a channel; each port serves one channel."""
    name, port = element.text(f"{side}Actor"), element.text(f"{side}Port")
    if name not in actors:
        element.refuse(f"{side}Actor = '{name}' is not an actor{did_you_mean(name, actors)}")
    ports = actors[name].ports
    if port not in ports:
        element.refuse(f"{side}Port = '{port}' is not a port of actor '{name}'{did_you_mean(port, ports)}")
    if ports[port][0] != direction:
        element.refuse(f"{side}Port = '{port}' of actor '{name}' is of type {ports[port][0]}, not {direction}")
    if (name, port) in connected:
        element.refuse(f"{side}Port = '{port}' of actor '{name}' has a channel already (one each)")
    connected.add((name, port))
    return name, ports[port][1]


def _sized(channel: Channel, properties: Element) -> Channel:
    """Return a channel with its buffer size as depth, and its token size (bits) as width."""
    buffer, token = properties.first("bufferSize"), properties.first("tokenSize")
    if buffer is not None and buffer.attributes.get("sz", "").strip() != "-1":  # how SDF3 writes unbounded
        channel = replace(channel, depth=_number(buffer, "sz", 1))
    if token is not None:
        # Tokens of 0 bits (control) take a slot like all others.
        channel = replace(channel, width=max(1, _number(token, "sz", 0)))
    return channel


def _number(element: Element, key: str, least: int) -> int:
    """Return a whole number of at least ``least``."""
    word = element.text(key).strip()
    if not (word.isascii() and word.isdecimal() and len(word) <= 16) or not least <= int(word) <= LARGEST:
        element.refuse(f"{key} = '{word[:40]}' must be a whole number from {least} to 2**53")
    return int(word)


def _numbers(element: Element, key: str, kind: str) -> tuple[int, ...]:
    """Return a number per phase; ``3*5`` is three phases of 5, and SDF has one phase."""
    numbers: list[int] = []
    for term in element.text(key).split(","):
        times, star, word = term.rpartition("*")
        parts = [part.strip() for part in ((times, word) if star else ("1", word))]
        if not all(part.isascii() and part.isdecimal() and len(part) <= 16 for part in parts):
            element.refuse(f"{key} = '{element.text(key)[:60]}': '{term.strip()[:40]}' is not a whole number")
        count, value = map(int, parts)
        if value > LARGEST or len(numbers) + count > _MOST_PHASES:
            element.refuse(f"{key} = '{element.text(key)[:60]}' is out of range (numbers to 2**53, 10**6 phases)")
        numbers += [value] * count
    if kind == "sdf" and len(numbers) != 1:
        element.refuse(f"{key} lists {len(numbers)} phases, and an actor of type sdf has one (csdf has several)")
    if not numbers:
        element.refuse(f"{key} lists no phase")
    return tuple(numbers)
