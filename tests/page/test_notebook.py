"""What Jupyter shows of networks, runs and sizings: a page that plays, and a table and a picture without JavaScript."""

from __future__ import annotations

import re

import pytest

from ppnsim.engines.run import run
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.model.builders import chain, fork_join
from ppnsim.model.network import Channel, Network, Process
from ppnsim.page import notebook
from ppnsim.page.notebook import html_of


def test_a_network_is_shown_as_its_run() -> None:
    network = fork_join(firings=20, short_depth=3)
    shown = network._repr_html_()
    assert shown == run(network)._repr_html_()
    assert "<iframe srcdoc=" in shown
    outside = re.sub(r'srcdoc="[^"]*"', "", shown)
    assert "finish 55 cycles" in outside
    assert "<table>" in outside
    assert "data:image/png" in outside


def test_a_deadlock_is_shown() -> None:
    done = run(fork_join(firings=20, short_depth=2, style="frozen"), on_deadlock="return")
    assert "deadlock at cycle 8" in done._repr_html_()


def test_a_large_network_is_not_run_just_to_be_shown() -> None:
    shown = chain(firings=10_000_000)._repr_html_()
    assert "too many to be run just to be shown" in shown
    assert len(shown) < 5000


def test_a_network_with_a_fault_shows_its_message() -> None:
    wrong = Network(processes=[Process(name="a", firings=0)], channels=[Channel(name="c", source="a", target="a")])
    assert "process" in wrong._repr_html_()
    assert "<pre>" in wrong._repr_html_()


def test_a_sizing_shows_its_depths_and_the_network_with_them() -> None:
    sizing = FifoSizing(problem=problem_of([fork_join(firings=20)]))
    assert "not searched yet" in sizing._repr_html_()
    sizing.run()
    shown = sizing._repr_html_()
    assert "lossless" in shown
    assert "finish 37 cycles" in shown


@pytest.fixture
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages and pictures as a word each."""
    monkeypatch.setattr(notebook, "page_of", lambda entries: f"<{len(entries)}>")
    monkeypatch.setattr(notebook, "data_uri", lambda _: "data:picture")


FRAME = '<iframe srcdoc="&lt;1&gt;" style="width:100%;height:860px;border:1px solid #ccc"></iframe>'
HEAD = "<tr>" + "".join(f"<th>{name}</th>" for name in ("process", "firings", "ii", "style")) + "</tr>"


@pytest.mark.usefixtures("_plain")
def test_a_run_is_a_frame_above_what_needs_no_javascript() -> None:
    done = run(chain(firings=4, length=2))
    shown, words = html_of(done), f"<p><b>chain: finish {done.finish} cycles</b></p><h3>"
    assert shown.startswith(f"{FRAME}<details><summary>as a table and a picture</summary>{words}")
    assert shown.endswith('</table><img alt="the network" style="max-width:100%" src="data:picture"></details>')
    assert shown.count("<table>") == 1


@pytest.mark.usefixtures("_plain")
def test_a_network_is_run_up_to_200000_firings_and_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "run", lambda network, **_: network.events)
    monkeypatch.setattr(notebook, "_run", lambda events: f"the run of {events}")
    largest, larger = chain(firings=50_000, length=2), chain(firings=50_001, length=2)
    assert html_of(largest) == f"the run of {largest.events}"
    assert largest.events == 200_000
    note = f"chain: {larger.events} firings and tokens, too many to be run just to be shown (ppnsim.run does)"
    rows = "".join(f"<tr><td>{name}</td><td>50001</td><td>1</td><td>elastic</td></tr>" for name in ("p0", "p1"))
    assert html_of(larger) == f"<p>{note}</p><h3>Processes</h3><table>{HEAD}{rows}</table>"


@pytest.mark.usefixtures("_plain")
def test_a_sizing_has_a_row_for_each_answer_and_the_network_without_loss() -> None:
    sizing = FifoSizing(problem=problem_of([fork_join(firings=20)], groups=[["long_in", "long_out"]]))
    assert html_of(sizing) == "<p>not searched yet: call run()</p>"
    sizing.run()
    shown = html_of(sizing)
    names = ("question", "cost", "finish", "", "short_in", "short_out", "long_in = long_out")
    head = "".join(f"<th>{name}</th>" for name in names)
    rows = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
        for cells in (
            ("deadlock_free", 4, 92, "proven", 1, 1, 1), ("lossless", 19, 37, "proven", 2, 13, 2)
        )
    )  # fmt: skip
    table = f"<h3>Smallest depths</h3><table><tr>{head}</tr>{rows}</table>"
    assert shown == table + html_of(
        sizing.problem.networks[0].with_depths(
            {**dict.fromkeys(("short_in", "long_in", "long_out"), 2), "short_out": 13}
        )
    )
