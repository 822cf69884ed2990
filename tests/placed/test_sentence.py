"""What sets the pace across nodes, in a sentence for each kind of it; the figures are made up."""

from __future__ import annotations

from types import SimpleNamespace as Of
from typing import Any

import pytest

from ppnsim.placed.report import sentence
from ppnsim.placed.report.sentence import binding_sentence
from ppnsim.placed.report.terms import Binding

CHANNELS: dict[str, Any] = {"c": Of(depth=4), "free": Of(depth=None)}
PLACEMENT = Of(
    network=Of(process=lambda name: Of(ii=3, name=name), channel=CHANNELS.__getitem__),
    node_of={"p": "fpga"},
    links=[Of(name="other", ends=(), efficiency=()), Of(name="link", ends=("a", "b"), efficiency=())],
    link_of=lambda _: Of(name="link", latency=2500),
    ports=[Of(name="mem", process="p", memory="ddr", write=False, outstanding=4)],
)
RUN: Any = Of(placement=PLACEMENT, period=lambda _: 5000)


def told(kind: Any, name: str, share: float = 0.5) -> str:
    return binding_sentence(RUN, Binding(kind=kind, name=name, share=share))


@pytest.fixture(autouse=True)
def _figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the two directions of a link, that from ``b`` takes more."""
    uses = {
        "a": Of(source="a", taken=0.5, overhead=0.0, gap=0.2, bytes=0.3),
        "b": Of(source="b", taken=0.975, overhead=0.0, gap=0.125, bytes=0.85),
    }
    monkeypatch.setattr(sentence, "link_use", lambda _, __, end: uses[end])
    monkeypatch.setattr(sentence, "port_use", lambda *_: Of(latency=120_000.0, unloaded=45_000.0))
    monkeypatch.setattr(sentence, "round_trip", lambda _, name: None if name == "free" else 9000)
    monkeypatch.setattr(sentence, "pace_of_neighbours", lambda *_: 2000.0)


def test_a_process_a_bus_and_what_is_waited_for_most() -> None:
    assert told("process", "p", 0.98) == "process 'p' sets the pace: it starts every 15 ns on 'fpga', 98 % of the time"
    assert told("bus", "ddr", 0.955) == "memory 'ddr' sets the pace: its data bus is taken 95.5 % of the time"
    words = "nothing is taken all the time: 'c' is what is waited for most, 12.5 % of the time"
    assert told("waiting", "c", 0.125) == words


@pytest.mark.parametrize(
    ("kind", "advice"),
    [
        ("gap", "larger packets would share the gap"),
        ("bytes", "a wider link or narrower tokens would help, larger packets hardly"),
        ("overhead", "larger packets would share the overhead"),
    ],
)
def test_a_port_is_that_of_the_direction_that_is_taken_longer(kind: str, advice: str) -> None:
    start = "link 'link' sets the pace: its port at 'b' is taken 97.5 % of the time (gap 12.5 %, bytes 85 %)"
    assert told(kind, "link") == f"{start}: {advice}"


def test_parts_of_a_port_that_take_nothing_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    use = Of(source="a", taken=1.0, overhead=0.4, gap=0.0, bytes=0.6)
    monkeypatch.setattr(sentence, "link_use", lambda *_: use)
    assert "(bytes 60 %, overhead 40 %): larger packets would share the overhead" in told("overhead", "link")


def test_a_link_with_efficiencies_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PLACEMENT.links[1], "efficiency", ((4, 1),))
    assert told("bytes", "link").endswith(": larger packets would reach more of its bandwidth, as its efficiencies say")
    assert told("gap", "link").endswith(": larger packets would share the gap")


def test_credits_are_told_with_the_way_to_and_fro() -> None:
    """A slot is back after 9 ns: 4 of them pass a token in 2.25 ns, and 5 would pass one in the 2 ns of the others."""
    assert told("credits", "c") == (
        "credits set the pace: a slot of 'c' is back 9 ns after its token was written (2 x 2.5 ns of it on 'link'), so "
        "depth 4 passes a token in 2.25 ns; about 5 would cover the way to and fro"
    )
    assert told("credits", "free", 0.25) == "channel 'free' is waited for at both ends 25 % of the time"


@pytest.mark.parametrize(("write", "verb"), [(False, "has its data"), (True, "is accepted")])
def test_a_memory_port_waits_for_banks_or_for_its_limit(
    write: bool, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PLACEMENT.ports[0], "write", write)
    assert told("banks", "mem") == (
        f"banks of 'ddr' set the pace: 'p' waits 50 % of the time for memory 'ddr', where a request {verb} after 120 "
        "ns, 45 ns at most if it were alone: more outstanding ones would queue longer"
    )
    assert told("outstanding", "mem") == (
        f"the outstanding limit sets the pace: 'p' waits 50 % of the time for memory 'ddr'; a request {verb} after 120 "
        "ns, so 4 of them pass one in 30 ns"
    )
