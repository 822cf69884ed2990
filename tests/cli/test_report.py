"""``ppnsim report``: the page of several files, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ppnsim.errors import InputError
from ppnsim.library.serve import PageServer
from tests.helpers.commands import ppnsim

ROOT = Path(__file__).parents[2]
NETWORKS = ROOT / "scenarios/networks"


def entries(page: Path) -> list[dict[str, Any]]:
    """Return the data that a page carries."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found is not None
    told: list[dict[str, Any]] = json.loads(found[1])
    return told


def test_a_file_that_is_followed_is_served_until_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served = []

    def until_ctrl_c(server: PageServer, *, open_browser: bool) -> None:
        served.append((server.file, open_browser, server.page(server.stamp())))

    monkeypatch.setattr("ppnsim.library.serve.serve_forever", until_ctrl_c)
    file, page = str(NETWORKS / "predictor.toml"), tmp_path / "a.html"
    assert ppnsim("report", file, "--serve").exit_code == 0
    assert ppnsim("report", file, "--serve", "-o", str(page)).exit_code == 0
    assert [each[0] for each in served] == [file, file]
    assert all('"finish": 83' in each[2] or '"finish":83' in each[2] for each in served)
    assert entries(page)[0]["finish"] == 83


def test_several_files_become_one_page_without_network(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    done = ppnsim(
        "report", str(NETWORKS / "predictor.toml"), str(NETWORKS / "fork_join.toml"),
        str(ROOT / "scenarios/platforms/image_filter.toml"), "-o", str(page),
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    told = entries(page)
    assert [entry["finish"] for entry in told[:1]] == [83]
    titles = [each["title"] for each in told[2]["sections"]]
    assert titles == ["Predicted and simulated", "Over time", "What each part did", "Provenance"]
    text = page.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|<link|src=\"(?!data:)", text)


def test_all_networks_that_are_shipped_have_a_page(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    done = ppnsim("report", *map(str, sorted(NETWORKS.glob("*.toml"))), "-o", str(page))
    assert done.exit_code == 3, done.stderr  # frozen_deadlock.toml
    told = {entry["name"]: entry for entry in entries(page)}
    assert len(told) == len(list(NETWORKS.glob("*.toml")))
    placed = [each["title"] for each in told["two FPGAs"]["sections"]]
    assert placed == ["Nodes", "Over time", "Occupancy", "Processes", "Channels across links", "Links", "Provenance"]
    assert "sets the pace" in told["two FPGAs"]["sections"][0]["notes"][0]


def test_what_is_suspicious_stands_on_the_page(tmp_path: Path) -> None:
    file, out = tmp_path / "left.toml", tmp_path / "left.html"
    file.write_text(
        "process.a.firings = 20\nprocess.b.firings = 10\n[channel.c]\nfrom = 'a'\nto = 'b'\n", encoding="utf-8"
    )
    ppnsim("report", str(file), "-o", str(out))
    assert "suspicious: 'c': a writes 20 tokens and b reads 10: 10 are left over" in out.read_text(encoding="utf-8")


def test_the_same_input_gives_the_same_page(tmp_path: Path) -> None:
    pages = [tmp_path / name for name in ("a.html", "b.html")]
    for page in pages:
        ppnsim("report", str(NETWORKS / "fork_join.toml"), "-o", str(page))
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_a_file_with_a_fault_does_not_hide_the_others(tmp_path: Path) -> None:
    broken, page = tmp_path / "broken.toml", tmp_path / "a.html"
    broken.write_text("name = 3", encoding="utf-8")
    done = ppnsim("report", str(NETWORKS / "predictor.toml"), str(broken), "-o", str(page))
    assert done.exit_code == 2
    assert [entry["name"] for entry in entries(page)] == ["predictor"]


@pytest.mark.parametrize("output", ["a.pdf", "nowhere/a.html"])
def test_what_cannot_be_written_is_refused(output: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        ppnsim("report", str(NETWORKS / "predictor.toml"), "-o", str(tmp_path / output))
    assert list(tmp_path.iterdir()) == []


def test_a_name_cannot_end_the_data(tmp_path: Path) -> None:
    net, page = tmp_path / "n.json", tmp_path / "a.html"
    evil = {"name": "</script><script>alert(1)", "processes": [{"name": "<b>", "firings": 2}], "channels": []}
    net.write_text(json.dumps(evil), encoding="utf-8")
    assert ppnsim("report", str(net), "-o", str(page)).exit_code == 0
    assert entries(page)[0]["name"] == evil["name"]


def test_a_deadlock_gives_exit_code_3_and_its_page(tmp_path: Path) -> None:
    page = tmp_path / "still.html"
    done = ppnsim("report", str(NETWORKS / "frozen_deadlock.toml"), str(NETWORKS / "predictor.toml"), "-o", str(page))
    assert done.exit_code == 3, done.stderr
    assert [entry["finish"] for entry in entries(page)] == [None, 83]
