"""The command ``ppnsim explain``: its text, its JSON, its picture, its exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ppnsim import chain, fork_join, predictor, run
from ppnsim.analysis.path.critical_path import CriticalPath
from ppnsim.cli.main import main
from ppnsim.explore.explain import sensitivity
from ppnsim.explore.explain.sensitivity import Claim
from ppnsim.model.network import Channel
from tests.helpers.commands import Save, ppnsim


def test_the_sentences_say_why(save: Save) -> None:
    shown = ppnsim("explain", save(chain(firings=1000, ii=(1, 3, 1), depth=2)))
    assert shown.exit_code == 0
    lines = [line.strip() for line in shown.stdout.splitlines()]
    assert lines[0].startswith("chain   finish 3010 cycles (30.1 us)   engine ")
    assert lines[1:4] == [
        "99.6 % of the 3010 cycles are ii of p1 (3 per firing, 999 firings)",
        "the path never waits for a slot: deeper FIFOs change nothing",
        "steady state: 3 cycles per iteration (1 of p0, 1 of p1, 1 of p2); "
        "critical cycle, 3 cycles in 1 iteration: ii of p1 (1 firing, 3 cycles)",
    ]
    assert "checked by running it: ii of p1 3 -> 2 saves 999 cycles" in lines


def test_a_long_critical_circle_is_told_by_its_ends_and_whole_in_json(save: Save, tmp_path: Path) -> None:
    ring = chain(firings=20, length=9, latency=(4, *[2] * 8), depth=1)
    back = Channel(name="back", source="p8", target="p0", depth=2, initial=1)
    network = ring.replace(channels=[*ring.channels, back])
    shown = ppnsim("explain", save(network), "--json", str(tmp_path / "all.json"))
    (line,) = (each.strip() for each in shown.stdout.splitlines() if "critical cycle" in each)
    circle = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))["steady_state"][0]["critical_cycle"]
    waits = f"{len(circle['binds'])} waits, from read and latency of p0 (1 firing, 5 cycles) to data of back"
    assert len(circle["binds"]) == 18 and waits in line
    assert "(1 of each of 9 processes)" in line and len(line) < 250
    assert sum(bind["cycles"] for bind in circle["binds"]) == circle["cycles"]


def test_cycles_between_the_stretches_of_a_path_are_named(save: Save) -> None:
    shown = ppnsim("explain", save(chain(firings=3, length=2, depth=1, latency=1)))
    rows = [line.split() for line in shown.stdout.splitlines() if "a token of" in line or "a slot of" in line]
    reached = int(rows[0][0].split("..")[0]) - 1  # after the first stretch
    for row in rows:
        first, last = (int(each) for each in (row[0].split("..") * 2)[:2])
        if first > reached:  # what lies between is under way, or on its way back
            assert row[row.index("in") + 2 :] in ([str(reached)], [f"{reached}..{first - 1}"]), row
        reached = last + 1
    assert len(rows) > 1


def test_json_adds_up_and_names_what_is_on_the_path(save: Save) -> None:
    told = json.loads(ppnsim("explain", save(fork_join(firings=100, short_depth=3)), "--json", "-").stdout)
    assert told["deadlock"] is None and told["interrupted"] is False
    parts = [*told["processes"].values(), *told["channels"].values(), *told["resources"].values()]
    assert sum(part["cycles"] for part in parts) == told["finish"] == sum(share["cycles"] for share in told["shares"])
    assert told["path"][0]["first"] == 0 and told["path"][-1]["last"] == told["finish"]
    assert told["channels"]["short_in"] == {"cycles": 12, "slack_tokens": 1, "slack_slots": 0}
    assert told["steady_state"][0]["period"] == "17/8"
    assert told["steady_state"][0]["critical_cycle"]["channels"] == ["long_in", "long_out", "short_out", "short_in"]
    deeper = next(claim for claim in told["sensitivity"] if claim["part"] == "short_in")
    assert (deeper["parameter"], deeper["from"], deeper["to"]) == ("depth", 3, 12)
    assert deeper["saves"] == told["finish"] - deeper["finish"] > 0
    assert deeper["finish"] == run(fork_join(firings=100, short_depth=3), depths={"short_in": 12}).finish


def test_what_does_not_apply_is_null_with_its_reason(save: Save) -> None:
    told = json.loads(ppnsim("explain", save(chain(firings=20, style="flushable")), "--json", "-").stdout)
    assert told["processes"]["p0"]["slack"] is None
    assert (
        told["no_slack_because"] == "process 'p0': no slack: it is flushable, so a delay may also move others forward"
    )
    assert told["steady_state"] is None
    assert told["no_steady_state_because"].startswith("process 'p0': no steady state: it is flushable")


def test_a_long_path_is_listed_in_part(save: Save) -> None:
    told = json.loads(ppnsim("explain", save(chain(firings=2000, length=2, depth=1)), "--json", "-").stdout)
    assert len(told["path"]) == 1000
    crossings = sum(share["count"] for share in told["shares"] if share["kind"] in ("forward", "release"))
    assert told["path_left_out"] == crossings + 1 - 1000


def test_top_limits_what_is_tried(save: Save) -> None:
    file = save(fork_join(firings=50))
    assert len(json.loads(ppnsim("explain", file, "--top", "3", "--json", "-").stdout)["sensitivity"]) == 3
    assert json.loads(ppnsim("explain", file, "--top", "0", "--json", "-").stdout)["sensitivity"] == []


def test_depths_and_style_of_the_command_line_count(save: Save) -> None:
    told = json.loads(ppnsim("explain", save(fork_join(firings=50)), "--depth", "20", "--json", "-").stdout)
    assert told["finish"] == run(fork_join(firings=50, short_depth=20, long_depth=20)).finish


def test_a_deadlock_is_explained_by_its_circle_and_gives_3(save: Save) -> None:
    file = save(fork_join(firings=20, short_depth=2, style="frozen"))
    shown = ppnsim("explain", file)
    assert shown.exit_code == 3
    assert "deadlock at cycle" in shown.stdout and "breaks the circle (checked by running it)" in shown.stdout
    told = json.loads(ppnsim("explain", file, "--json", "-").stdout)
    assert told["finish"] is None
    assert [wait["process"] for wait in told["deadlock"]["cycle"]] == ["split", "short", "join", "long"]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_path_is_drawn(save: Save, tmp_path: Path, suffix: str) -> None:
    place = tmp_path / f"path.{suffix}"
    assert ppnsim("explain", save(predictor()), "--top", "0", "--plot", str(place)).exit_code == 0
    assert place.stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--top", "-1"), "--top: -1 is below 0 changes"),
        (("--plot", "path.jpeg"), "--plot path.jpeg: '.jpeg' is none of .svg, .png, .pdf"),
        (("--depth", "nowhere=2"), "no channel is called 'nowhere'"),
    ],
)
def test_bad_options_give_2(
    save: Save, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], arguments: Any, message: str
) -> None:
    monkeypatch.setattr("sys.argv", ["ppnsim", "explain", save(predictor()), *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert message in capfd.readouterr().err


def test_ctrl_c_keeps_the_claims_that_are_there(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sensitivity.claims

    def interrupted(path: CriticalPath, *, top: int, **others: Any) -> Iterator[Claim]:
        yield next(whole(path, top=top, **others))
        raise KeyboardInterrupt

    monkeypatch.setattr("ppnsim.library.explain.claims", interrupted)
    shown = ppnsim("explain", save(predictor()), "--json", "-")
    told = json.loads(shown.stdout)
    assert shown.exit_code == 130
    assert told["interrupted"] is True
    assert [claim["sentence"] for claim in told["sensitivity"]] == ["latency of transformer 3 -> 2 saves 13 cycles"]
