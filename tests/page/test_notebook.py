"""What Jupyter shows of networks, runs and sizings: a page that plays, and a table and a picture without JavaScript."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.model.builders import chain, fork_join
from ppnsim.model.network import Channel, Network, Process
from ppnsim.page.notebook import ShownFile


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


def test_files_are_shown_by_their_kind(tmp_path: Path) -> None:
    page, picture = tmp_path / "page.html", tmp_path / "a&b.png"
    page.write_text("<p>1 & 2</p>", encoding="utf-8")
    picture.write_bytes(b"\x89PNG")
    assert "<iframe srcdoc=" in ShownFile(str(page))._repr_html_()
    assert 'alt="a&amp;b"' in ShownFile(str(picture))._repr_html_()
    assert "data:image/png;base64,iVBORw==" in ShownFile(str(picture))._repr_html_()
    with pytest.raises(InputError, match=r"nothing\.html: no such file"):
        ShownFile(str(tmp_path / "nothing.html"))
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InputError, match=r"'.txt' is none of .*\.html"):
        ShownFile(str(tmp_path / "notes.txt"))
