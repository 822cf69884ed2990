"""What forces a sizing: one line for channels alike, and a word about those of which nothing is said."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

import ppnsim
from ppnsim import Channel, Network, Process
from ppnsim.formats.shipped import directory


def told(network: Network) -> list[str]:
    paper = Console(width=200, record=True, file=StringIO())
    ppnsim.size(network, front=False).print(paper)
    lines = [line.rstrip() for line in paper.export_text().splitlines()]
    return lines[next(n for n, line in enumerate(lines) if line.startswith("what forces lossless")) + 2 :]


def test_channels_alike_share_a_line() -> None:
    stages = [Process(name=f"s{n}", firings=64, latency=3) for n in range(9)]
    chained = [Channel(name=f"f{n}", from_=f"s{n}", to=f"s{n + 1}", depth=2) for n in range(8)]
    skip = Channel(name="skip", from_="s0", to="s8", depth=2)
    # It was a line for each of six FIFOs, and "there may be more" for the others.
    assert told(Network(processes=stages, channels=[*chained, skip]))[:2] == [
        "skip >= 37, or the finish is at least 107",
        "f0, f1, f2, f3, f4, f5, f6, f7: each >= 2, or the finish is at least 169",
    ]


def test_a_list_that_does_not_explain_a_channel_says_so() -> None:
    network = ppnsim.load(directory() / "networks" / "sample_rate_converter.toml")
    (incomplete,) = (line for line in told(network) if line.startswith("the list is incomplete"))
    # Not "it says nothing of ch1, ch2": it may say of each that two tokens are the least.
    assert incomplete.startswith("the list is incomplete: by it alone, ch1, ch2")
