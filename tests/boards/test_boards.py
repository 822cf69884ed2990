"""Boards: their tables, tables of users, and a new board that every subject knows from one file."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from pprint import pformat
from typing import Any

import pytest

from ppnsim.boards import files
from ppnsim.boards.board import RESOURCES
from ppnsim.boards.files import find_board, known_boards, load_board
from ppnsim.boards.keys import checked_table
from ppnsim.boards.shipped import shipped_table
from ppnsim.cli.main import main
from ppnsim.errors import InputError
from ppnsim.formats.decode import load_toml
from ppnsim.hls.graph import functions
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.memory.model.presets import preset
from ppnsim.opencl.files.board import load_opencl_board
from ppnsim.platform.files.toml import parse_platform
from ppnsim.platform.model.presets import preset_names, preset_system

NAMES = sorted({path.stem for path in known_boards().values()})


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_says_where_it_is_from(name: str) -> None:
    board = load_board(name)
    assert all(entry.provenance for entry in board.operators)
    assert board.resources_provenance and (board.timing.delay_scale == 1 or board.timing.scale_provenance)
    assert all(memory.provenance for memory in board.memories)
    assert board.clock is None or board.clock_provenance
    if board.opencl is not None:
        figures = {"width", "latency", "outstanding", "available", "unit", "access", "costs", "fastest", "slowdown"}
        assert figures | {"per_unit"} == set(board.opencl.provenance)


@pytest.mark.parametrize("name", NAMES)
def test_a_table_that_comes_with_ppnsim_has_no_fault_and_is_read_as_those_of_users(name: str) -> None:
    data = load_toml(files.TABLES / f"{name}.toml")
    read = [pformat(made(data)) for made in (shipped_table, checked_table)]  # numbers, fractions and tuples alike
    assert read[0] == read[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_called_as_its_file(name: str) -> None:
    assert load_board(name).name == name


def test_what_a_file_is_called_is_the_name_of_no_other_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a name that a file has is found without a look into the others, which takes a tenth of a short start."""
    known = known_boards()
    monkeypatch.setattr(files, "known_boards", dict)
    assert {name: load_board(name).name for name in NAMES} == {name: known[name].stem for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_resources_in_the_makers_words_are_the_same_numbers(name: str) -> None:
    board = load_board(name)
    told = board.resources
    assert told["dsp"] == board.dsp and told.get("lut", told.get("alm")) == board.lut
    blocks = {"bram36": 2, "m20k": 1, "bram_18k": 1}
    assert {units * told[kind] for kind, units in blocks.items() if kind in told} == {board.bram}


@pytest.mark.parametrize("name", NAMES)
def test_the_memories_are_presets_with_as_many_channels(name: str) -> None:
    for memory in load_board(name).memories:
        assert preset(memory.preset).dram.channels == memory.banks


# Of the tables before they were boards: lut, ff, dsp, bram, delay_scale, and an adder of doubles at 5 ns (R2.14).
DEVICES = {
    "zynq-7020": (53200, 106400, 220, 280, 1, 15), "virtex-6": (150720, 301440, 768, 832, 0.85, 12),
    "xc7v2000t": (1221600, 2443200, 2160, 2584, 0.7, 10), "virtex-7": (433200, 866400, 3600, 2940, 0.7, 10),
    "ultrascale+": (1182240, 2364480, 6840, 4320, 0.45, 5), "stratix-v": (234720, 938880, 256, 2560, 0.65, 10),
}  # fmt: skip


@pytest.mark.parametrize("name", DEVICES)
def test_the_figures_are_those_of_the_data_sheets(name: str) -> None:
    board = load_board(name)
    adder = load_library(name, 5).operator("add", Format.of("double"))
    assert (board.lut, board.ff, board.dsp, board.bram, board.timing.delay_scale, adder.states) == DEVICES[name]


def test_a_board_is_its_device_with_memories_around_it() -> None:
    board, device = load_board("DE5-Net"), load_board("5sgxa7")
    assert (board.available, board.operators, board.timing) == (device.available, device.operators, device.timing)
    assert (board.memories[0].banks, device.memories, device.opencl, device.host) == (2, (), None, None)
    assert board.opencl is not None
    assert (board.opencl.banks, board.opencl.amounts) == (2, (234_720, 2560, 256))


# -- tables of users ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[operators]", "unknown key 'operators' (did you mean 'operator'?)"),
        ('[device]\nlike = "xc7z02"', "mine.toml: device: like = 'xc7z02' is not a device (did you mean 'xc7z020'?)"),
        ("[device]\nlutt = 3", "device: unknown key 'lutt' (did you mean 'lut'?)"),
        ('[[operator]]\nname = "add"\ntypes = ["doubl"]', "'doubl' is not a family of number formats (did you mean"),
        (
            '[[operator]]\nname = "add"\ntypes = ["double"]\nstates = -1',
            "operator 'add': states = -1 must be at least 0",
        ),
        ('[[operator]]\nname = "add"\ntypes = ["double"]\nstates = "7"', "states = '7' must be a whole number"),
        ('[[operator]]\ntypes = ["double"]', "operator[0]: name is missing"),
        ("[device]\nmac_bits = 3", "device: mac_bits = 3 must be a list of whole numbers"),
        ("[device]\nram_ns = true", "device: ram_ns = true must be a number"),
        ("[memory.ddr]\nbanks = 2", "memory 'ddr': preset is missing"),
        (
            "[opencl]\nwidth = 64",
            "mine.toml: opencl: latency, outstanding, available, unit, access, costs, fastest, slowdown, per",
        ),
        ("[opencl]\navailable = [1, 1]", "opencl: available = [1, 1] must be [logic, memory blocks, DSP blocks]"),
        ("[opencl]\ncosts.fp_add = [1, 1, -1]", "opencl: costs.fp_add[2] = -1 must be at least 0"),
        ('[opencl]\nper_unit = "1/0"', "opencl: per_unit = '1/0' must be a number, or a ratio like '1/7'"),
        ("[host]\nlanes = 1.5", "host: lanes = 1.5 must be a whole number"),
        ("[device\n", "mine.toml:1:8: expected ']'"),
    ],
)
def test_tables_of_users_that_make_no_sense(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        load_library(str(path), 10)
    assert message in str(raised.value)


def test_all_faults_of_a_table_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        '[device]\nlut = "many"\ndps = 3\n[[operator]]\nname = "add"\n[memory.ddr]\npreset = 4\nbanks = 1\n'
    )
    with pytest.raises(InputError) as raised:
        load_board(str(path))
    assert [line.removeprefix(f"{path}: ") for line in str(raised.value).split("\n")] == [
        "device: lut = 'many' must be a whole number",
        "device: unknown key 'dps' (did you mean 'dsp'?)",
        "operator 'add': types is missing",
        "memory 'ddr': preset = 4 must be a text of printable characters",
    ]


def test_a_table_of_a_user_replaces_operators_of_the_device_it_is_like(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[device]\nlike = "xc7z020"\n[[operator]]\nname = "add"\ntypes = ["double"]\nstates = 5\n')
    library = load_library(str(path), 10)
    assert library.operator("add", Format.of("double")).states == 5
    assert library.operator("mul", Format.of("double")).states == 7
    path.write_text(path.read_text().replace("states = 5", "states = 6"))  # in one session, as a notebook is
    assert load_library(str(path), 10).operator("add", Format.of("double")).states == 6


def test_the_folder_of_a_table_says_no_speed_grade(tmp_path: Path) -> None:
    (path := tmp_path / "run-1-e" / "mine.toml").parent.mkdir()
    path.write_text('[device]\nlike = "xcvu9p"\n')
    assert load_board("xcvu9p-flga2104-1-e").timing.grade_scale > load_board(str(path)).timing.grade_scale == 1


def test_a_table_that_changes_resources_has_no_words_for_them(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[device]\nlike = "DE5-Net"\nlut = 1000\nff = 0\n[opencl]\nlatency = 99\n[memory.qdr]\n'
                    'preset = "DDR3-1600"\nbanks = 1\n')  # fmt: skip
    board = load_board(str(path))
    assert board.resources == {"lut": 1000, "dsp": 256, "bram_18k": 2560}
    assert board.opencl is not None
    assert (board.opencl.amounts, board.opencl.banks, board.opencl.latency) == ((1000, 2560, 256), 3, 99)
    assert "latency" not in board.opencl.provenance and board.opencl.provenance["unit"] == "assumption"


def test_tables_that_are_like_each_other_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "TABLES", tmp_path)
    for name, other in ("ab", "ba"):
        (tmp_path / f"{name}.toml").write_text(f'[device]\nlike = "{other}"\n')
    with pytest.raises(InputError, match=r"b.toml: device: like = 'a' leads back to this table"):
        load_board("a")


def test_a_name_that_no_table_has() -> None:
    with pytest.raises(InputError, match=r"^--device: no device 'xc7z021' \(did you mean 'xc7z020'\?\)"):
        load_board("xc7z021", "--device")
    with pytest.raises(InputError) as refused:
        load_board("xc7z045")
    assert "(did you mean 'xc7z020'?); all tables: 5sgxa7, alveo-u200, " in str(refused.value)
    assert "give a part as scripts write it (xc7z045-1, which takes the table of xc7k325t)" in str(refused.value)
    with pytest.raises(InputError, match=r"did you mean 'xczu7ev'\?\); also near: xczu9eg; all tables"):
        load_board("xczu7evv")
    with pytest.raises(InputError, match=r"^no device 'zcu9999' \(nearest: zcu102, zcu104; known: 5sgxa7, "):
        load_board("zcu9999")
    with pytest.raises(
        InputError, match=r"^no device 'mine' \(known: .*\); or give a part as .*, or a table of your own"
    ):
        load_board("mine")
    assert find_board("2 x XC2V6000") is None
    assert set(load_board("xcvu9p").available) == set(RESOURCES)


# -- OpenCL ------------------------------------------------------------------------------------------------------------


def test_a_kernel_of_opencl_runs_on_a_board_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[board]\nlike = "DE5-Net"\nbanks = 4\nper_unit = 0.5\n')
    known, mine = load_opencl_board("de5net"), load_opencl_board(str(path))
    assert known == load_board("de5-net").opencl
    assert mine == replace(known, banks=4, per_unit=Fraction(1, 2))
    with pytest.raises(InputError, match="--device: no OpenCL runs on 'xcvu9p'"):
        load_opencl_board("xcvu9p")
    path.write_text("[board]\nbanks = 0.5\nwitdh = 3\n")
    with pytest.raises(InputError) as raised:
        load_opencl_board(str(path))
    assert [line.removeprefix(f"{path}: ") for line in str(raised.value).split("\n")] == [
        "board: banks = 0.5 must be a whole number",
        "board: unknown key 'witdh' (did you mean 'width'?)",
    ]


# -- platforms ---------------------------------------------------------------------------------------------------------


def test_a_node_of_a_known_device_has_its_resources() -> None:
    nodes = {"fpga": {"kind": "fpga", "device": "XCVU9P"}, "own": {"kind": "fpga", "device": "XC9"}}
    fpga, own = parse_platform({"node": nodes})[0].nodes
    assert fpga.resources == {"dsp": 6840, "lut": 1_182_240, "bram36": 2160, "uram": 960}
    assert fpga.provenance["resources"].startswith("data sheet: Xilinx DS890") and not own.resources
    given = parse_platform({"node": {"fpga": {**nodes["fpga"], "resources": {"mac": 3}}}})[0].nodes[0]
    assert (given.resources, given.provenance) == ({"mac": 3}, {})


def test_every_board_with_a_link_to_a_host_is_a_platform() -> None:
    assert preset_names() == ["nallatech-h101", "src6", "alveo-u280", "aws-f1", "de5-net"]
    system = preset_system("U280")
    assert [(each.name, each.dram.channels) for each in system.memories] == [("hbm", 32), ("ddr", 2)]
    with pytest.raises(InputError, match="there is no preset 'xcvu9p'"):
        preset_system("xcvu9p")


# -- one file for all of them ------------------------------------------------------------------------------------------

NEW = """
[device]
name = "mark2"
like = "de5-net"
aliases = ["Vendor Mark II"]
part = "XX9000"
lut = 500
ff = 1000
dsp = 8
bram = 40
resources_provenance = "Vendor DS1"
clock = "100 MHz"
clock_provenance = "guess: a round number"
[memory.ddr]
preset = "DDR4-2400"
banks = 3
provenance = "data sheet: Vendor DS1"
[[operator]]
name = "mul"
types = ["float"]
states = 9
lut = 100
dsp = 2
provenance = "guess"
"""
SOURCE = "void scale(float a[64]) {\n  for (int i = 0; i < 64; i++)\n    a[i] = a[i] * 3.0f;\n}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of tables with one more than the shipped ones."""
    tables = tmp_path / "tables"
    shutil.copytree(files.TABLES, tables)
    (tables / "mark2.toml").write_text(NEW, encoding="utf-8")
    (tmp_path / "scale.c").write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(files, "TABLES", tables)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Return the JSON of a command."""
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["ppnsim", *arguments, "--json", "-"])
        with pytest.raises(SystemExit) as stopped:
            main()
    assert not stopped.value.code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.usefixtures("folder")
def test_one_table_makes_a_board_known_to_hls(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("mark2", "vendor mark ii"):
        result = told(capsys, "schedule", "scale.c", "--device", name)
        assert result["resources"]["device"] == {"lut": 500, "ff": 1000, "dsp": 8, "bram_18k": 40}
    assert load_library("mark2", 10).operator("mul", Format.of("float")).lut == 100


def test_one_table_makes_a_board_known_to_the_roofline(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = told(capsys, "roofline", "scale.c", "--device", "mark2")
    assert result["peak"]["available"] == {"bram": 40, "dsp": 8, "ff": 1000, "lut": 500}
    assert result["banks"][0]["name"] == "ddr[0]" and result["operators"][0]["cost"]["lut"] == 100
    operator = '[[operator]]\nname = "mul"\ntype = "float"\ncount = 5\n'
    argument = '[argument.a]\nmemory = "ddr"\nbank = 2\nbytes = 9\n'
    (folder / "own.toml").write_text(f'device = "Mark2"\nclock = "10 ns"\n{operator}{argument}')
    by_file = told(capsys, "roofline", "own.toml")
    assert by_file["peak"]["available"] == result["peak"]["available"] and by_file["banks"][0]["name"] == "ddr[2]"


def test_one_table_makes_a_board_known_to_opencl(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = load_opencl_board("mark2")
    assert (board.banks, board.amounts, board.latency) == (3, (500, 40, 8), 64)
    (folder / "own.toml").write_text('[board]\nlike = "Mark2"\nlatency = 7\n')
    assert load_opencl_board("own.toml") == replace(board, latency=7)
    mm = str(Path(__file__).parents[2] / "scenarios" / "opencl" / "mm.cl")
    assert told(capsys, "opencl", mm)["fits"] and not told(capsys, "opencl", mm, "--device", "mark2")["fits"]


def test_one_table_makes_a_board_known_to_platforms(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    system = preset_system("mark2", 2)
    node = system.group("fpga", "")
    assert (node.device, node.clock, node.resources["lut"]) == ("XX9000", Fraction(100_000_000), 500)
    assert system.memories[0].dram.channels == 3
    assert "mark2" in preset_names() and told(capsys, "platform", "preset:mark2")["name"] == "mark2"
    (folder / "own.toml").write_text('[node.fpga]\nkind = "fpga"\ndevice = "vendor mark ii"\n')
    assert told(capsys, "platform", "own.toml")["parts"][0]["resources"]["bram_18k"] == 40


def test_an_operator_is_a_line_of_a_table_and_the_functions_that_are_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = '[[operator]]\nname = "erf"\ntypes = ["float"]\nstates = 20\nentry = 5.0\nlut = 77\nprovenance = "guess"\n'
    with (folder / "tables" / "xc7z020.toml").open("a", encoding="utf-8") as table:
        table.write(entry)
    (folder / "erf.c").write_text(
        SOURCE.replace("a[i] * 3.0f", "erff(a[i])").replace("void", "float erff(float);\nvoid")
    )
    monkeypatch.setitem(functions.MATHS, "erff", "erf")
    found = told(capsys, "schedule", "erf.c", "--device", "mark2", "--function", "scale")["resources"]
    assert list(found["units"]) == ["erf_float32"]
    (use,) = told(capsys, "roofline", "erf.c", "--device", "mark2", "--function", "scale")["operators"]
    assert (use["name"], use["count"], use["cost"]["lut"]) == ("erf float", 64, 77)


@pytest.mark.parametrize(
    "wrong",
    [
        {"fastest": Fraction(0)},
        {"slowdown": Fraction(1)},
        {"slowdown": Fraction(-1, 2)},
        {"per_unit": Fraction(-1, 7)},
    ],
)
def test_a_clock_of_an_opencl_board_stays_above_0(wrong: dict[str, Fraction]) -> None:
    known = load_opencl_board("de5net")
    assert known.checked() == known
    with pytest.raises(InputError, match="clock and slowdown leave no clock above 0 MHz"):
        replace(known, **wrong).checked()  # type: ignore[arg-type]
