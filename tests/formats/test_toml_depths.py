"""Depths in a TOML file of a user's own: only they change, and what is read of the file is what was asked for."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim import Network
from ppnsim.formats.decode import decode_toml
from ppnsim.formats.network import read
from ppnsim.formats.network_text import network_text
from ppnsim.formats.toml_depths import with_depths_in_text
from tests.helpers.commands import ppnsim as command
from tests.helpers.strategies import networks

FILE = Path("net.toml")
OWN = """# My network.
name = "own"  # [channel.a]

[process]
p = { firings = 4 }
'q r' = { firings = 4 }

[channel.a]        # the first
from = "p"
to   = 'q r'       # depth = 9
  # not deep
depth = "unbounded"  # for now

[channel."b c"]
from = "p"
to = "q r"

[channel]
d = { from = "p", to = "q r", depth = 2 }   # depth = 3
e = { from = "p", to = "q r" }
"""


def test_only_depths_change_in_a_file_of_a_users_own() -> None:
    network = read(decode_toml(OWN), FILE)
    changed = with_depths_in_text(OWN, FILE, network, {"a": 5, "b c": 6, "d": 7, "e": 8})
    expected = OWN.replace('"unbounded"', "5").replace('to = "q r"\n\n[channel]', 'to = "q r"\ndepth = 6\n\n[channel]')
    expected = expected.replace("depth = 2 }", "depth = 7 }").replace('to = "q r" }', 'to = "q r", depth = 8 }')
    assert changed == expected


@settings(max_examples=50, deadline=None)
@given(networks(), st.data())
def test_what_is_read_of_a_changed_text_has_the_depths(network: Network, data: st.DataObject) -> None:
    text = network_text(network, FILE)
    bounded = {channel.name: max(1, channel.initial) for channel in network.channels}
    depths = {name: data.draw(st.integers(least, least + 9)) for name, least in bounded.items()}
    changed = with_depths_in_text(text, FILE, network, depths)
    assert changed is not None
    assert read(decode_toml(changed), FILE) == network.with_depths(depths)


def test_a_file_that_is_written_in_another_way_is_left_to_the_writer() -> None:
    text = "process.p.firings = 2\nprocess.q.firings = 2\nchannel.c.from = 'p'\nchannel.c.to = 'q'\n"
    network = read(decode_toml(text), FILE)
    assert with_depths_in_text(text, FILE, network, {"c": 3}) is None


DECOYS = """[process]  # { depth = 1 }
p = { firings = 2, latency = [
    3,  # ] depth = 4
    4,
] }
q = {firings = 2}
[channel.c]
from = 'p'
to = "q"
writes = [0,
1]
reads = [  # [channel.d]
[0, 0],  # d = { depth = 3 }
[1, 1],
]
# depth = 5, [channel.c]
[channel]  # of "few
d = { from = 'p', to = 'q', writes = [0, 1], reads = [[0, 0], [1, 1]] }  # { depth = 9, }
"""


def test_what_looks_like_a_depth_in_comments_and_arrays_stays() -> None:
    network = read(decode_toml(DECOYS), FILE)
    changed = with_depths_in_text(DECOYS, FILE, network, {"c": 3, "d": 4})
    assert changed == DECOYS.replace("\n]\n# depth", "\n]\ndepth = 3\n# depth").replace("1]] }", "1]], depth = 4 }")


@pytest.mark.parametrize("name", ["oom_plus", "fork_join"])
def test_of_a_scenario_lines_for_depths_are_added_or_changed_and_no_other(name: str) -> None:
    file = Path(f"scenarios/networks/{name}.toml")
    text = file.read_text(encoding="utf-8")
    network = read(decode_toml(text), file)
    changed = with_depths_in_text(text, file, network, {channel.name: 77 for channel in network.channels})
    assert changed is not None
    own, others = (
        [each for each in lines.splitlines() if not each.startswith("depth")] for lines in (changed, text)
    )  # fmt: skip
    assert own == others
    assert changed.count("#") == text.count("#")


def test_a_sized_copy_keeps_the_comments(tmp_path: Path) -> None:
    file, sized = tmp_path / "net.toml", tmp_path / "sized.toml"
    file.write_text(OWN, encoding="utf-8")
    assert command("size", str(file), "--no-front", "-o", str(sized)).exit_code == 0
    lines = sized.read_text(encoding="utf-8").splitlines()
    assert "# My network." in lines and "depth = 2  # for now" in lines


def test_a_sized_copy_in_another_style_has_the_style(tmp_path: Path) -> None:
    file, sized = tmp_path / "net.toml", tmp_path / "sized.toml"
    file.write_text(OWN, encoding="utf-8")
    assert command("size", str(file), "--no-front", "--style", "frozen", "-o", str(sized)).exit_code == 0
    assert "frozen" in sized.read_text(encoding="utf-8")


def test_ends_of_lines_stay_those_of_the_file() -> None:
    text = OWN.replace('depth = "unbounded"', '"depth" = "unbounded"').replace("\n", "\r\n")
    changed = with_depths_in_text(text, FILE, read(decode_toml(text), FILE), {"a": 5, "b c": 6, "d": 7, "e": 8})
    assert changed is not None
    assert changed.count("\n") == changed.count("\r\n") == text.count("\n") + 1
    assert '\r\n"depth" = 5  # for now\r\n' in changed


def test_comments_that_a_copy_does_not_have_are_not_lost_without_a_word(tmp_path: Path) -> None:
    source, out = tmp_path / "net.toml", tmp_path / "sized.toml"
    text = "# mine\n[process]\np.firings = 2\nq.firings = 2\n[channel]\nc.from = 'p'\nc.to = 'q'\n"
    source.write_text(text)
    assert "(written anew: comments are not in it)" in command("size", str(source), "-o", str(out)).output
    source.write_text(OWN)
    assert "written anew" not in command("size", str(source), "-o", str(out)).output
