"""Fuzzing as a tool: every kind draws and checks, and a broken claim ends as the smallest example in a file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ppnsim.files import load_network
from ppnsim.model.network import Network
from tests.fuzz.__main__ import main
from tests.fuzz.kinds import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_finds_nothing_in_a_few_examples(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([kind, "--seconds", "0", "--most", "5"]) == 0
    assert f"{kind}: " in capsys.readouterr().out


def test_a_broken_claim_is_shrunk_and_written_as_a_network_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_channel_at_all(network: Network) -> None:
        assert not network.channels, "there is a channel"

    monkeypatch.setitem(KINDS, "networks", replace(KINDS["networks"], check=no_channel_at_all))
    assert main(["networks", "--seconds", "0", "--out", str(tmp_path)]) == 1
    (place,) = tmp_path.iterdir()
    assert "a claim failed: there is a channel" in capsys.readouterr().out
    network = load_network(place)
    assert len(network.channels) == 1 and len(network.processes) <= 2
    assert json.loads(place.read_text(encoding="utf-8"))["channels"][0]["name"] == network.channels[0].name
