"""A network that is read from C++ keeps its source: depths go back into a copy, and answers name lines and pragmas."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ppnsim
from ppnsim.formats.shipped import directory
from tests.helpers.commands import ppnsim as command

CPP = directory() / "hls" / "subtract_mean.cpp"
PASTE = f"#pragma HLS stream variable=kept depth=64   {CPP}:42"


def test_a_loaded_source_is_sized_and_saved_as_a_copy_with_pragmas(tmp_path: Path) -> None:
    from_path, from_object = tmp_path / "path.cpp", tmp_path / "object.cpp"
    ppnsim.size(CPP).save(from_path)
    ppnsim.load(CPP).size().save(from_object)
    assert from_object.read_text() == from_path.read_text() != CPP.read_text()
    with pytest.raises(ppnsim.InputError, match=r"is none of .*; a copy .* writes ppnsim.size\('SOURCE'\).save"):
        ppnsim.load(CPP).save(tmp_path / "x.cpp")


@pytest.mark.parametrize(
    "stuck", [lambda: CPP, lambda: ppnsim.load(CPP), lambda: ppnsim.run(CPP, on_deadlock="return")]
)
def test_what_breaks_a_deadlock_of_a_source_is_a_pragma_to_paste(stuck: Callable[[], Any]) -> None:
    fix = ppnsim.fix_deadlock(stuck())
    assert fix.depths == {"kept": 64}
    assert str(fix).splitlines()[1:] == ["paste after the declarations:", f"  {PASTE}"]


def test_a_run_of_a_source_prints_and_writes_what_the_command_does() -> None:
    told = command("run", str(CPP), "--json", "-")
    for run in (ppnsim.run(CPP, on_deadlock="return"), ppnsim.load(CPP).run(on_deadlock="return")):
        assert run.to_dict() == json.loads(told.stdout)
        assert PASTE in str(run)
    with pytest.raises(ppnsim.DeadlockError, match="kept: declared line 42, written line 18, read line 34"):
        ppnsim.load(CPP).with_depths({"seen": 3}).run()
    with pytest.raises(ppnsim.DeadlockError, match=r'fix_deadlock\(error.run\) .*; run\(..., on_deadlock="return"\) '):
        ppnsim.run(CPP)


def test_the_source_is_no_part_of_what_a_network_says() -> None:
    network = ppnsim.load(CPP)
    travelled = pickle.loads(pickle.dumps(network))
    assert travelled == network and travelled.origin is None


def test_a_changed_network_keeps_its_source_as_long_as_its_parts_are_those_of_the_source() -> None:
    network = ppnsim.load(CPP)
    for changed in (
        network.replace(name="other"),
        network.with_style("hls"),
        network.with_depths(64).replace(clock_ns=5.0),
    ):
        assert changed.origin is network.origin is not None
    renamed = [*network.processes, ppnsim.Process(name="new", firings=1)]
    assert network.replace(processes=renamed).origin is None


def test_a_run_is_drawn_with_the_lines_of_its_source() -> None:
    network = ppnsim.load(CPP).with_depths(64)
    before, after = ({text.get_text() for text in each.draw().axes[0].texts} for each in (network, network.run()))
    lines = {f"{CPP.name}:15", f"{CPP.name}:24", f"{CPP.name}:33"}
    assert lines <= before and lines <= after


def test_depths_that_miss_the_target_are_not_saved_in_its_place(tmp_path: Path) -> None:
    place = tmp_path / "sized.toml"
    sized = ppnsim.size(ppnsim.fork_join(firings=20), target=3)
    with pytest.raises(ppnsim.InputError, match="the target is out of reach: with unbounded FIFOs the finish is 37"):
        sized.save(place)
    assert not place.exists()
    ppnsim.size(ppnsim.fork_join(firings=20), target=45).save(place)
    assert ppnsim.load(place).run().finish <= 45
