"""The shipped scenarios: each is read, run, and says in its comment what it does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ppnsim
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.files import load_network
from ppnsim.formats.shipped import copy_scenarios, shipped
from ppnsim.model.builders import predictor
from ppnsim.model.network import Network, Style

EVERY = {scenario.name: scenario.path for scenario in shipped()["scenario"]}
# Those of platforms and of networks across nodes are run by the tests of theirs.
PATHS = {name: path for name, path in EVERY.items() if "\n[node." not in path.read_text(encoding="utf-8")}

# Finish in cycles as documents give it, with the depths of the file. None is a deadlock.
FROM_DOCUMENTS: dict[str, int | None] = {
    "four_processes": 14,  # van Teijlingen 2014, chapter 4.3: absolute estimate
    "predictor": 83,  # van Teijlingen 2014, section 6.3.1: 830 ns at 10 ns
    "iom_minus": 19,  # van Teijlingen 2014, section 6.2: 190 ns at 10 ns
    "iom_plus": 29,  # the same: 290 ns
    "oom_minus": 23,  # the same: 230 ns
    "oom_plus": 33,  # the same: 330 ns
    "fork_join": 55,  # timing rules, table of the fork and join: elastic, depth 3
    "frozen_deadlock": None,  # the same table: frozen, depth 3
    "flushable": 29,  # timing rules, the flushable counter-example: depth 1
}

# Finish in cycles as ppnsim 0.1.0 gave it (engine des). No document has these numbers; what is known is tested below.
GOLDEN = {
    "sample_rate_converter": 2920,
    "shared_multiplier": 48,
    "hls_gesummv": 671,
    "residual": 8281,
    "resnet": 2275,
}


def finish(network: Network) -> int | None:
    """Return the finish in cycles, None after a deadlock."""
    return run(network, on_deadlock="return").finish


def test_every_scenario_has_a_number() -> None:
    assert sorted(PATHS) == sorted(FROM_DOCUMENTS | GOLDEN)


@pytest.mark.parametrize("name", FROM_DOCUMENTS)
def test_a_scenario_finishes_when_its_document_says(name: str) -> None:
    assert finish(load_network(PATHS[name])) == FROM_DOCUMENTS[name]


@pytest.mark.parametrize("name", GOLDEN)
def test_a_scenario_finishes_as_it_did(name: str) -> None:
    assert finish(load_network(PATHS[name])) == GOLDEN[name]


# -- what the comments tell people to try ------------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "cycles"), [(3, 55), (4, 44), (6, 40), (8, 37), (20, 37)])
def test_deeper_short_branches_feed_the_long_one(depth: int, cycles: int) -> None:
    # Timing rules, table of the fork and join, elastic.
    network = load_network(PATHS["fork_join"])
    assert finish(network.with_depths({"short_in": depth, "short_out": depth})) == cycles


def test_deeper_long_branches_change_nothing() -> None:
    network = load_network(PATHS["fork_join"])
    assert finish(network.with_depths({"long_in": None, "long_out": None})) == finish(network)


def test_the_frozen_deadlock_is_one_of_style_and_of_depth() -> None:
    # Timing rules, table of the fork and join: flushable at depth 3, frozen at depth 6.
    network = load_network(PATHS["frozen_deadlock"])
    assert finish(network.with_style("flushable")) == 55
    assert finish(network.with_depths({"short_in": 6, "short_out": 6})) == 55


@pytest.mark.parametrize(("style", "cycles"), [("flushable", 30), ("elastic", 29)])
def test_a_deeper_fifo_slows_a_flushable_pipeline_only(style: Style, cycles: int) -> None:
    # Timing rules, the flushable counter-example.
    assert finish(load_network(PATHS["flushable"]).with_depths({"ab": 2}).with_style(style)) == cycles


@pytest.mark.parametrize(
    ("depths", "period"),
    [({}, 960), ({"ch1": 1}, 1029), ({"ch1": 1, "ch5": 5}, 1088), (dict.fromkeys(["ch1", "ch2", "ch5"]), 960)],
)
def test_the_sample_rate_converter_has_the_periods_of_sdf3(depths: dict[str, int | None], period: int) -> None:
    # SDF3 and Kiter on sdf/testbench/samplerate.xml; 160 firings of f are one iteration, the second is steady.
    starts = run(load_network(PATHS["sample_rate_converter"]).with_depths(depths)).timeline.start("f")
    assert int(starts[320] - starts[160]) == period


@pytest.mark.parametrize(("channel", "depth"), [("ch2", 3), ("ch3", 7), ("ch4", 13), ("ch5", 4)])
def test_the_sample_rate_converter_runs_at_no_smaller_depths(channel: str, depth: int) -> None:
    # SDF3's smallest sizes without deadlock: 1, 4, 8, 14, 5.
    assert finish(load_network(PATHS["sample_rate_converter"]).with_depths({channel: depth})) is None


def test_gesummv_is_near_its_rtl() -> None:
    # Stream-HLS artefacts, 2560_DSPs/opt4/gesummv: 673 cycles by co-simulation, whose first cycle has number 1.
    cycles = finish(load_network(PATHS["hls_gesummv"]))
    assert cycles is not None
    assert abs(cycles + 1 - 673) <= 0.002 * 673


@pytest.mark.parametrize("units", [1, 2])
def test_sharing_a_multiplier_costs_its_starts(units: int) -> None:
    # 40 firings hold a unit for one cycle each; a bound that any engine has to keep.
    cycles = finish(load_network(PATHS["shared_multiplier"]).replace(resources={"multiplier": units}))
    assert cycles is not None
    assert cycles >= 40 / units
    assert cycles == {1: GOLDEN["shared_multiplier"], 2: 28}[units]


@pytest.mark.parametrize(
    ("name", "depths", "cycles"),
    [
        ("iom_minus", {"a": 1}, 23),
        ("oom_minus", {"a": 4}, None),
        ("oom_minus", {"a": 5}, 23),
        ("hls_gesummv", {"node3_node1": 2, "node2_node1": 2, "node1_node0": 2}, 671),
    ],
)
def test_the_depths_that_a_comment_proposes_do_what_it_says(
    name: str, depths: dict[str, int], cycles: int | None
) -> None:
    assert finish(load_network(PATHS[name]).with_depths(depths)) == cycles


def test_the_predictor_of_the_file_is_that_of_the_builder() -> None:
    ours, built = load_network(PATHS["predictor"]), predictor()
    assert ours.processes == built.processes
    for channel, other in zip(ours.channels, built.channels, strict=True):
        firings = ours.process(channel.target).firings
        pairs = [
            network.counts[c.name].reading_pairs(firings).tolist() for network, c in ((ours, channel), (built, other))
        ]
        assert (channel.source, channel.target, pairs[0]) == (other.source, other.target, pairs[1])


# -- the files themselves ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_a_scenario_opens_with_what_to_see_and_what_to_try(name: str) -> None:
    text = EVERY[name].read_text(encoding="utf-8")
    comment = text[: text.index("\nname ")]
    assert all(line.startswith("#") for line in comment.rstrip().splitlines())
    assert f"ppnsim run scenarios/networks/{name}.toml" in comment
    assert set(re.findall(r"scenarios/networks/(\w+)\.toml", text)) == {name}
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("name", PATHS)
def test_the_depths_to_try_are_those_of_channels(name: str) -> None:
    network = load_network(PATHS[name])
    for channel in re.findall(r"--depth (\w+)=", PATHS[name].read_text(encoding="utf-8")):
        assert network.channel(channel)


def test_shipped_scenarios_have_a_title() -> None:
    assert all(scenario.title and not scenario.title.startswith("#") for scenario in shipped()["scenario"])


def test_copies_are_those_asked_for(tmp_path: Path) -> None:
    assert copy_scenarios(tmp_path / "mine", ["predictor"]) == [tmp_path / "mine" / "predictor.toml"]
    assert finish(load_network(tmp_path / "mine" / "predictor.toml")) == FROM_DOCUMENTS["predictor"]
    assert len(copy_scenarios(tmp_path / "all")) == len(EVERY)


def test_the_folder_of_the_copies_is_made_with_those_around_it(tmp_path: Path) -> None:
    (copy,) = copy_scenarios(tmp_path / "new" / "deep", ["predictor"])
    assert copy.is_file()
    assert copy.parent == tmp_path / "new" / "deep"


def test_a_copy_replaces_nothing_unless_told_to(tmp_path: Path) -> None:
    mine = tmp_path / "predictor.toml"
    mine.write_text("# changed")
    with pytest.raises(InputError) as error:
        copy_scenarios(tmp_path)
    assert str(error.value) == f"{mine}: is already there (choose another directory, or --force)"
    assert [path.name for path in tmp_path.iterdir()] == ["predictor.toml"]
    copy_scenarios(tmp_path, ["predictor"], overwrite=True)
    assert mine.read_text() != "# changed"


def test_a_scenario_that_is_not_shipped_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        copy_scenarios(tmp_path, ["predictr"])
    assert str(error.value) == "no shipped scenario is called 'predictr' (did you mean 'predictor'?)"


@pytest.mark.parametrize(("said", "file"), [("resnet.toml", "resnet.toml"), ("corner_turn", "corner_turn.cpp")])
def test_a_scenario_goes_by_the_name_of_its_file_too(said: str, file: str, tmp_path: Path) -> None:
    assert [each.name for each in copy_scenarios(tmp_path, [said])] == [file]
    assert ppnsim.scenarios()[said].name == file
    with pytest.raises(InputError, match=r"'mm' \(there is mm\.cl, mm\.toml\)"):
        copy_scenarios(tmp_path, ["mm"])


@pytest.mark.parametrize("name", ["predictor", "predictor.toml", "predictor.c"])
def test_a_scenario_in_place_of_the_directory_is_told_so(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        copy_scenarios(name)
    with pytest.raises(InputError, match="takes a directory first"):
        copy_scenarios(name, ["."])  # the wrong way round
    remedy = "is a scenario; --copy takes a directory first: ppnsim scenarios --copy . "
    assert str(error.value) == f"{name}: {remedy}{name}"
    assert not list(tmp_path.iterdir())
    assert copy_scenarios(name, ["predictor"])  # with names it is a directory


def test_a_directory_that_cannot_be_made_is_told_so(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(InputError) as error:
        copy_scenarios(file, ["predictor"])
    assert str(error.value) == f"{file}: is a file; --copy takes a directory first"
