"""Tables of a platform before they are understood: values by path, presets under them, and whose provenance goes."""

from __future__ import annotations

from typing import Any

import pytest

from ppnsim.errors import InputError
from ppnsim.platform.files.tables import with_preset, with_value

TABLES: dict[str, Any] = {
    "node": {
        "fpga": {
            "clock": "1 MHz", "resources": {"dsp": 4, "lut": 5},
            "provenance": {"clock": "measured: a", "resources": "data sheet: b", "resources.dsp": "c", "fpga.x": "d"},
        }
    },
    "stage": {"s": {"input": [{"name": "read", "bytes": 4}, {"name": "7", "bytes": 5}, 3]}},
}  # fmt: skip


def test_a_value_goes_where_its_path_leads_and_the_table_stays_as_it_was() -> None:
    changed = with_value(TABLES, "stage.s.input.read.bytes", 9)
    assert changed["stage"]["s"]["input"][0] == {"name": "read", "bytes": 9}
    assert TABLES["stage"]["s"]["input"][0]["bytes"] == 4
    assert with_value(TABLES, "stage.s.input.1.bytes", 9)["stage"]["s"]["input"][1]["bytes"] == 9
    assert with_value(TABLES, "stage.s.input.7.bytes", 9)["stage"]["s"]["input"][1]["bytes"] == 9  # by its name
    assert with_value(TABLES, "new", 1)["new"] == 1


@pytest.mark.parametrize(
    ("path", "gone"),
    [
        ("node.fpga.clock", {"clock"}), ("node.fpga.resources.dsp", {"resources.dsp"}), ("node.fpga", set()),
        ("node.fpga.resources", {"resources"}), ("stage.s.fill", set()), ("node.fpga.other", set()),
    ],
)  # fmt: skip
def test_what_is_changed_loses_its_provenance_and_nothing_else_does(path: str, gone: set[str]) -> None:
    changed = with_value(TABLES, path, 7)
    before = set(TABLES["node"]["fpga"]["provenance"])
    fpga = changed["node"]["fpga"]
    assert fpga == 7 if path == "node.fpga" else set(fpga["provenance"]) == before - gone


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("node.fgpa.clock", "'node.fgpa.clock' leads nowhere: there is no 'fgpa' (did you mean 'fpga'?)"),
        ("node.fpga.clock.x", "'node.fpga.clock.x' leads nowhere: 'x' is not a key of a table"),
        ("node.fpga.clock.x.y", "'node.fpga.clock.x.y' leads nowhere: there is no 'x'"),
        ("stage.s.input.3.bytes", "'stage.s.input.3.bytes' leads nowhere: there is no '3' (known: 7, read)"),
        (
            "stage.s.input.rad.bytes",
            "'stage.s.input.rad.bytes' leads nowhere: there is no 'rad' (did you mean 'read'?)",
        ),
        ("stage.s.input.2.bytes", "'stage.s.input.2.bytes' leads nowhere: 'bytes' is not a key of a table"),
        ("stage.s.input.read", "'stage.s.input.read' leads nowhere: 'read' is not a key of a table"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused(path: str, words: str) -> None:
    with pytest.raises(InputError) as error:
        with_value(TABLES, path, 7)
    assert str(error.value) == words


def test_a_preset_lies_under_what_a_file_says() -> None:
    """What the file says itself is its own and has no provenance of the preset's; the rest keeps it."""
    found = with_preset(
        {"platform": {"preset": "aws-f1", "name": "mine"}, "node": {"fpga": {"clock": "100 MHz"}}, "more": 3}
    )
    assert found["platform"] == {"name": "mine"} and found["more"] == 3
    fpga = found["node"]["fpga"]
    assert fpga["clock"] == "100 MHz" and fpga["resources"]["dsp"] == 6840
    assert "clock" not in fpga["provenance"] and "resources" in fpga["provenance"]
    assert set(found["memory"]) == {"ddr"}
    plain = {"platform": {"name": "mine"}, "node": {}}
    assert with_preset(plain) == plain and with_preset({"platform": 4}) == {"platform": 4}
