"""The sentence on whom a run waits for, of networks of which anybody can say it; the same one by either way to it."""

import pytest

from ppnsim.engines.run import run
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.step_lists import StepList
from ppnsim.model.summary import summary_of
from ppnsim.report import slowest
from ppnsim.report.bottleneck import bottleneck


def told_of(*processes: Process, **ends: tuple[str, str, int]) -> list[str | None]:
    """The sentence on a network by its critical path, and as for runs that are too long for one."""
    channels = [Channel(name=name, source=s, target=t, initial=initial) for name, (s, t, initial) in ends.items()]
    summary = summary_of(run(Network(name="n", processes=processes, channels=channels).checked()))
    with pytest.MonkeyPatch.context() as patch:
        by_path = bottleneck(summary)
        patch.setattr(slowest, "_WALKED", 0)
        return [by_path, bottleneck(summary)]


def test_a_chain_that_begins_late_is_a_chain_all_the_same() -> None:
    early, own = Process(name="early", firings=9, latency=4), Process(name="own", firings=9, latency=6)
    told = told_of(early, own, c=("early", "own", 0), s=("own", "own", 1))
    assert told == ["own waits for itself: a chain of 9 firings x 8 cycles; deeper FIFOs change nothing"] * 2


def test_two_that_wait_for_each_other_are_both_named() -> None:
    made = [Process(name=name, firings=9, latency=latency) for name, latency in (("first", 4), ("x", 3), ("y", 2))]
    told = told_of(*made, c=("first", "x", 0), f=("x", "y", 0), b=("y", "x", 1))
    assert [{*str(each).split(" wait for ")[0].split(" and ")} for each in told] == [{"x", "y"}] * 2
    assert all(str(each).endswith(" wait for each other's data; deeper FIFOs change nothing") for each in told)


@pytest.mark.parametrize(("length", "way"), [
    (3, "p2 and p0"), (8, "p2, p3, p4, p5, p6, p7 and p0"), (9, "p2, p3, p4, p5, p6, p7 and 2 more"),
])  # fmt: skip
def test_a_longer_circle_of_data_names_the_way_back(length: int, way: str) -> None:
    made = [Process(name=f"p{n}", firings=9, latency=9 if n == 1 else 2) for n in range(length)]
    ends = {f"c{n}": (f"p{n}", f"p{(n + 1) % length}", int(n == length - 1)) for n in range(length)}
    by_path, by_waits = told_of(*made, **ends)
    assert by_path == f"p1 waits for its own data, which comes back through {way}; deeper FIFOs change nothing"
    begin, others = str(by_waits).removesuffix("; deeper FIFOs change nothing").split(" waits for its own data, which ")
    turned = [f"p{(int(begin[1:]) + step) % length}" for step in range(1, length)]  # the way of the data, from there
    assert others.startswith(f"comes back through {turned[0]}{' and' if length == 3 else ','} {turned[1]}")


def test_who_starts_at_once_or_only_once_is_told_so() -> None:
    assert (
        told_of(Process(name="z", firings=5, ii=0, latency=9))
        == ["z starts its 5 firings as soon as it can; deeper FIFOs change nothing"] * 2
    )
    assert (
        told_of(Process(name="z", firings=1, latency=9))
        == ["z starts its only firing; deeper FIFOs change nothing"] * 2
    )


def test_the_slowest_of_a_row_is_named_wherever_it_stands() -> None:
    for slow in range(3):
        made = [Process(name=name, firings=9, ii=3 if at == slow else 1, latency=2) for at, name in enumerate("abc")]
        told = told_of(*made, c1=("a", "b", 0), c2=("b", "c", 0))
        assert told == [f"{'abc'[slow]} starts its 9 firings 3 cycles apart; deeper FIFOs change nothing"] * 2


def test_of_tasks_on_the_way_to_the_last_one_the_longest_is_named() -> None:
    """A long task hands its only token to a short one, which ends last."""
    long = Process.scheduled(name="long", steps=50, start_steps=StepList((0,)))
    short = Process.scheduled(name="short", steps=5, start_steps=StepList((0,)))
    channel = Channel(name="c", source="long", target="short", write_steps=StepList((49,)), read_steps=StepList((0,)))
    summary = summary_of(run(Network(name="n", processes=[long, short], channels=[channel]).checked()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slowest, "_WALKED", 0)
        assert str(bottleneck(summary)).startswith("long ")


def test_a_run_that_is_too_long_to_be_walked_has_no_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a run of minutes the sentence takes no further ones: it comes from who waited for whom."""
    network = Network(name="n", processes=[Process(name="z", firings=5, latency=9)]).checked()
    path = slowest.path_of(run(network))
    assert path is not None
    assert path.busiest == "z"
    monkeypatch.setattr(slowest, "_WALKED", network.events - 1)
    assert slowest.path_of(run(network)) is None
