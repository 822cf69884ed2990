"""RTL black boxes of projects: a JSON file gives latency and interval of a function without a body (R2.21)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from ppnsim import schedule
from ppnsim.errors import InputError
from ppnsim.hls.project.read import read_project

_SOURCE = """void box(int a, int b, int &z);
void top(const int a[64], const int b[64], int z[64]) {
  for (int i = 0; i < 64; i++) {
#pragma HLS pipeline
    int t;
    box(a[i], b[i], t);
    z[i] = t;
  }
}
"""
_MODEL = "void box(int a, int b, int &z) { int t = a; for (int i = 0; i < 90; i++) t /= b; z = t; }\n"
_SCRIPT = "open_project p\nset_top top\nadd_files top.cpp\nadd_files -blackbox {}\nset_part xc7z020\n"


def _project(folder: Path, latency: object, ii: object, script: str = _SCRIPT, more: Mapping[str, object] = {}) -> Path:
    """Write a design whose function ``box`` is a black box with a latency and an interval."""
    ways = {"a": "in", "b": "in", "z": "out"}
    parts = [{"c_name": name, "c_port_direction": way, "rtl_ports": {}} for name, way in ways.items()]
    performance = {"latency": latency, "II": ii}
    described = {"c_function_name": "box", "c_parameters": parts, "rtl_performance": performance, **more}
    (folder / "box.json").write_text(json.dumps(described))
    (folder / "top.cpp").write_text(_SOURCE)
    (folder / "run_hls.tcl").write_text(script.format("box.json"))
    return folder / "run_hls.tcl"


def _interval_and_depth(path: Path) -> tuple[object, object]:
    (row,) = schedule(path).rows()
    return row["ii"], row["depth"]


@pytest.mark.parametrize(
    ("latency", "ii", "expected"),
    [
        ("3", "1", (1, 6)),
        (3, 1, (1, 6)),
        ("9", "1", (1, 12)),
        ("0", "1", (1, 2)),
        ("3", "2", (2, 6)),
        ("3", "0", (4, 6)),  # 0: it is not pipelined
    ],
)
def test_a_call_takes_the_latency_and_the_interval(
    tmp_path: Path, latency: object, ii: object, expected: tuple[int, int]
) -> None:
    assert _interval_and_depth(_project(tmp_path, latency, ii)) == expected


def test_a_configuration_names_a_black_box(tmp_path: Path) -> None:
    _project(tmp_path, "9", "2")
    lines = ("[hls]", "syn.top=top", "syn.file=top.cpp", "syn.blackbox.file=box.json", "part=xc7z020")
    (tmp_path / "hls_config.cfg").write_text("\n".join(lines))
    assert _interval_and_depth(tmp_path / "hls_config.cfg") == (2, 12)


def test_the_model_in_c_is_not_read(tmp_path: Path) -> None:
    path = _project(tmp_path, "3", "1", _SCRIPT.replace("top.cpp", "top.cpp model.cpp"))
    (tmp_path / "model.cpp").write_text(_MODEL)
    assert _interval_and_depth(path) == (1, 6)


def test_directions_are_those_of_the_description(tmp_path: Path) -> None:
    found = schedule(_project(tmp_path, "3", "1"))
    assert not [each for each in found.assumed if "has no body" in each]


def test_a_description_that_is_not_there_has_no_effect(tmp_path: Path) -> None:
    path = _project(tmp_path, "3", "1", _SCRIPT.replace("{}", "other.json"))
    (unknown,) = read_project(str(path)).unknown
    assert "run_hls.tcl:4: black box other.json: it is not there" in unknown


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"rtl_performance": {"latency": "3"}}, "rtl_performance has no II; it is a whole number of cycles from 0 on"),
        ({"rtl_performance": {"latency": "x", "II": "1"}}, "rtl_performance has 'x' as latency"),
        ({"rtl_performance": {"latency": "-1", "II": "1"}}, "rtl_performance has '-1' as latency"),
        ({"rtl_performance": None}, "rtl_performance has no latency"),
        ({"c_function_name": ""}, "needs the name of its C function as c_function_name"),
        ({"c_parameters": [{"c_name": "a", "c_port_direction": "into"}]}, "'a' has the c_port_direction 'into'"),
    ],
)
def test_a_wrong_description_is_refused_by_its_file(tmp_path: Path, more: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=r"box\.json: .*") as refused:
        read_project(str(_project(tmp_path, "3", "1", more=more)))
    assert words in str(refused.value)


def test_text_that_is_no_json_is_refused_by_line_and_column(tmp_path: Path) -> None:
    path = _project(tmp_path, "3", "1")
    (tmp_path / "box.json").write_text('{\n"c_function_name": box }')
    with pytest.raises(InputError, match=r"box\.json:2:20: is no JSON"):
        read_project(str(path))


def test_a_black_box_of_no_function_is_said(tmp_path: Path) -> None:
    path = _project(tmp_path, "3", "1", more={"c_function_name": "Box"})
    (tmp_path / "top.cpp").write_text(_SOURCE.replace("int &z);", "int &z) { z = a * b; }"))
    assert any("black box 'Box' replaces nothing" in each for each in schedule(path).assumed)
    assert not any("black box" in each for each in schedule(_project(tmp_path, "3", "1")).assumed)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 100_000, "too many brackets"),
        (
            json.dumps({"c_function_name": "box", "rtl_performance": {"latency": 1, "II": 1}, "c_parameters": ["a"]}),
            "'a'",
        ),
        ('{"c_function_name": "box", "rtl_performance": {"latency": %s, "II": 1}}' % ("9" * 5000), "at most 9 digits"),
    ],
)
def test_text_that_describes_nothing_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = _project(tmp_path, "3", "1")
    (tmp_path / "box.json").write_text(text)
    with pytest.raises(InputError, match=words):
        read_project(str(path))


def test_a_mark_at_the_start_of_the_file_is_no_text(tmp_path: Path) -> None:
    path = _project(tmp_path, "3", "1")
    (tmp_path / "box.json").write_bytes(b"\xef\xbb\xbf" + (tmp_path / "box.json").read_bytes())
    assert _interval_and_depth(path) == (1, 6)


def test_an_annotated_interval_is_the_least_of_a_loop(tmp_path: Path) -> None:
    text = _SOURCE.replace("    box(", "#pragma ppnsim latency(3) ii(4) access(out)\n    box(")
    (tmp_path / "top.cpp").write_text(text)
    assert _interval_and_depth(tmp_path / "top.cpp") == (4, 6)


@pytest.mark.parametrize("registers", [True, False])
def test_an_array_as_an_argument_is_registers_or_refused(tmp_path: Path, registers: bool) -> None:
    """UG1399: RAM_1P or RAM_T2P of a parameter takes ports of the memory, in cycles that no key of the file tells."""
    path = _project(tmp_path, "8", "1")
    divided = "#pragma HLS array_partition variable=m complete\n" if registers else ""
    source = _SOURCE.replace("box(int a,", "box(const int a[64],").replace("box(a[i],", "box(m,")
    filled = "int m[64];\n" + divided + "for (int i = 0; i < 64; i++) m[i] = a[i] * 3;\n  for"
    (tmp_path / "top.cpp").write_text(source.replace("for", filled, 1))
    if not registers:
        with pytest.raises(InputError, match=r"top.cpp:\d+:\d+: 'm' is a memory that a function without a body gets"):
            schedule(path)
        return
    found = schedule(path).to_dict()
    assert not found["overlapped_cycles"]
    assert found["cycles"] >= 64 + 64 + 8


def test_a_call_waits_for_what_it_reads_through_a_pointer(tmp_path: Path) -> None:
    path = _project(tmp_path, "3", "1")
    text = _SOURCE.replace("box(int a,", "box(const int *a,").replace("int t;", "int t, s = a[i] / b[i];")
    (tmp_path / "top.cpp").write_text(text.replace("box(a[i],", "box(&s,"))
    divided = _interval_and_depth(path)[1]
    (tmp_path / "top.cpp").write_text(_SOURCE.replace("box(a[i],", "box(a[i] / b[i],"))
    assert divided == _interval_and_depth(path)[1]
