"""``ppnsim opencl kernel.cl``: options, and what is refused, each with its own message and exit code 2."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.cli.main import main
from ppnsim.formats.shipped import copy_scenarios, shipped

SHIPPED = Path(__file__).parents[2] / "scenarios" / "opencl"
OTHERS = Path(__file__).parents[1] / "sources" / "opencl"
K = "__kernel void k(__global float *a, int n) {{ {} }}"


def told(*arguments: str) -> Any:
    result = CliRunner().invoke(app, ["opencl", *arguments, "--json", "-"], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_a_source_and_its_hierarchy_have_the_same_answer() -> None:
    source, by_hand = (told(str(SHIPPED / f"mm.{suffix}"), "--tune") for suffix in ("cl", "toml"))
    keys = ("design", "cycles", "potentials", "utilisation", "seconds")
    assert [[step[key] for key in keys] for step in source["tuning"]] == [
        [step[key] for key in keys] for step in by_hand["tuning"]
    ]


def test_the_design_is_that_of_the_source_until_another_one_is_asked_for() -> None:
    file = (str(OTHERS / "tiles.cl"), "--set", "inner=64", "--set", "columns=64", "--global", "64,64")
    assert told(*file)["design"] == "UL16:i+SIMD4"
    assert told(*file, "--design", "baseline")["design"] == "baseline"
    assert told(*file, "-D", "SIDE=8", "-D", "LANES=2")["design"] == "UL8:i+SIMD2"
    simulated = told(*file, "--simulate")
    assert (simulated["simulated"]["cycles"], simulated["cycles"]) == (4351, 4219)


def test_sizes_of_options_replace_those_of_pragmas() -> None:
    assert told(str(SHIPPED / "vecadd.cl"))["work_items"] == 128
    assert told(str(SHIPPED / "vecadd.cl"), "--global", "64", "--set", "n=4096")["work_items"] == 64
    assert told(str(OTHERS / "rows.cl"), "--function", "scale", "--global", "32,2")["work_items"] == 64


def test_arguments_and_macros_are_swept_alike() -> None:
    source, by_hand = str(SHIPPED / "vecadd.cl"), str(SHIPPED / "vecadd.toml")
    macro = told(source, "--set", "n=8192", "--vary", "W=32,128", "--simulate")["sweep"]
    argument = told(source, "--set", "W=64", "--vary", "n=8192,16384")["sweep"]
    assert macro == told(by_hand, "--set", "N=8192", "--vary", "W=32,128", "--simulate")["sweep"]
    assert argument == told(by_hand, "--set", "W=64", "--vary", "N=8192,16384")["sweep"]


def test_a_board_comes_from_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_text("[board]\nbanks = 4\n")
    file = str(SHIPPED / "kmeans.cl")
    two, four = told(file), told(file, "--device", str(tmp_path / "board.toml"))
    assert four["blocks"][0]["memory"] == pytest.approx(two["blocks"][0]["memory"] / 2)


def test_shipped_kernels_are_listed_and_copied(tmp_path: Path) -> None:
    listed = CliRunner().invoke(app, ["scenarios", "--json", "-"], catch_exceptions=False).stdout
    names = [each["name"] for each in json.loads(listed) if each["kind"] == "opencl"]
    assert names == sorted(path.name for path in SHIPPED.iterdir())
    assert all(each.title for each in shipped()["opencl"])
    (copied,) = copy_scenarios(tmp_path, ["kmeans.cl"])
    assert copied.read_text() == (SHIPPED / "kmeans.cl").read_text()


def refused(arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setattr("sys.argv", ["ppnsim", "opencl", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (K.format("a[0] = sqr(2.0f);"), ":1:52: function 'sqr' is neither in this file nor built into OpenCL C"),
        ("float sqrd(float x) { return x * x; }\n" + K.format("a[0] = sqr(2.0f);"), "OpenCL C (did you mean 'sqrd'?)"),
        ("float g(float);\n" + K.format("a[0] = g(1.0f);"), ":2:52: function 'g' has neither a body in this file"),
        (K.format("a[0] = erf(a[1]);"), ":1:52: function 'erf' has neither a body in this file nor costs in the model"),
        (K.format("a[0] = 1"), ":1:53: not OpenCL C that can be read: expected ';' after expression"),
        (K.format("a[0] = b;"), ":1:52: 'b' is not declared; if it stands for a number, give it with -D b=..."),
        ("float g(float x) { return g(x - 1); }\n" + K.format("a[0] = g(2.0f);"), ":1:27: recursion: g -> g; hardware"),
        ("float g(float x) { return 1; }", ": has no kernel: a kernel is a function with __kernel and a body"),
        (K.format("") + "\n__kernel void l() {}", ": holds 2 kernels: choose one with --function (k, l)"),
        (K.format(""), ": kernel 'k' has no block"),
        (K.format("a[get_global_id(0)] = 1;"), ":1:15: the number of work items of 'k' is not given: give --global"),
        ("#pragma ppnsim global_size(8)\n" + K.format("a[get_local_id(0)] = 1;"), "get_local_id needs the size of"),
        ("#pragma ppnsim global_size(M)\n" + K.format(""), ":1:1: global_size: 'M' is not a whole number: 'M' has"),
        ("#pragma ppnsim global_size(8) local_size(3)\n" + K.format(""), "the work group does not divide the"),
        ("#pragma ppnsim globl_size(8)\n" + K.format(""), ":1:1: #pragma ppnsim knows no 'globl_size' in OpenCL C"),
        ("#pragma ppnsim argument(m = 8)\n" + K.format(""), ":1:1: argument(m = 8) is not NAME = N (known: n)"),
        (K.format("for (int i = 0; i < n; i++) a[i] = 1;"), ":1:61: how often 'i < n' holds is not known: argument 'n' "
         "has no value (give --set n=N"),
        (K.format("for (int i = 0; i < a[0]; i++) a[1] = 1;"), ":1:61: how often 'i < a[0]' holds is not known"),
        (K.format("while (a[0] > 1) a[0] -= 1;"), "give its trip count: #pragma ppnsim tripcount(N) before it"),
        (K.format("for (int i = 0; i < 9; i++) { a[i] = 1; if (a[i] > n) break; }"), "a break ends the loop of line 1"),
        (K.format("while (1) a[0] += 1;"), ":1:45: this loop never ends"),
        (K.format("for (;;) a[0] += 1;"), ":1:45: this loop has no condition; give its trip count"),
        (K.format("if (n > 3) for (int i = 0; i < 4; i++) a[i] = 1;"), "whether 'n > 3' holds is not known: argument"),
        (K.format("\n#pragma ppnsim tripcount(4)\nfor (int i = 0; i < 8; i++) a[i] = 1;"), ":3:1: tripcount before a"),
        (K.format("\n#pragma ppnsim share(1.5)\nif (a[0] > 1) a[1] = 1;"), ":2:1: share(1.5) is not a share from"),
        (K.format("__global float *p = a[0] > 1 ? a : a + n; p[0] = 1;"), "the target of the pointer 'p' is not"),
        (K.format("a[0] = sin(1);"), ":1:52: the call of 'sin' fits several of its versions: convert the argument"),
        ("channel int c;\n" + K.format(""), ":1:1: 'channel': channels and pipes tie kernels together"),
        (K.format("a[0] = read_channel_intel(c);"), ":1:52: 'read_channel_intel': channels and pipes tie kernels"),
        (K.format('printf("%f", a[0]);'), ":1:45: 'printf': printing is not modelled"),
        ("__kernel void k(__read_only image2d_t i) {}", ":1:39: argument 'i' is of type"),
        (K.format("a[0] = a[1 / 0];"), ": divides by 0"),
        (K.format("l: a[0] = 1; goto l;"), ": a goto is not followed here"),
        (K.format("switch (n) { case 0: a[0] = 1; case 1: a[1] = 1; }"), "a case that goes on into the next one"),
        (K.format("a[0] = a[1]" + " + a[2]" * 300 + ";"), "more than 256 operators or blocks inside each other"),
        ('#include "sizes.h"\n' + K.format(""), ":1:10: header 'sizes.h' is not found; give its folder with -I"),
    ],
)  # fmt: skip
def test_sources_that_are_not_followed_are_refused_by_their_own_message(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "k.cl"
    file.write_text(text)
    error = refused([str(file)], monkeypatch, capsys)
    assert error.startswith(str(file))
    assert message in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.cl"], "nowhere.cl: no such file"),
        ([str(OTHERS / "rows.cl"), "--function", "row"], "no kernel is called 'row' (did you mean 'rows'?)"),
        ([str(SHIPPED / "mm.cl"), "--set", "M=4"], "there is no scalar argument and no macro 'M'"),
        ([str(SHIPPED / "wordcount.cl"), "--set", "SLOTS=4"], "the file defines 'SLOTS' itself: put #ifndef SLOTS"),
        ([str(SHIPPED / "mm.cl"), "--set", "N=100"], "does not divide the global size (100 x 100 in groups of 64 x 64"),
        ([str(SHIPPED / "mm.cl"), "--local", "8,8"], "the work group is 8 x 8, but reqd_work_group_size asks for 64"),
        ([str(SHIPPED / "mm.cl"), "--global", "4,x"], "--global: 'x' is not a whole number"),
        ([str(SHIPPED / "mm.cl"), "--global", "1,1,1,1"], "--global: '1,1,1,1' is not one, two or three sizes"),
        ([str(SHIPPED / "mm.cl"), "-D", "3x"], "-D: '3x' is not the name of a macro"),
        ([str(SHIPPED / "mm.toml"), "--global", "4"], "--function, --global, --local, -D and -I are for OpenCL C"),
        ([str(SHIPPED / "mm.cl"), "--device", str(SHIPPED / "mm.toml")], "mm.toml: board is missing"),
        ([str(SHIPPED / "mm.cl"), "--design", "UL5:k"], "loop 'k': unrolling 64 iterations by 5 leaves a rest"),
        ([str(OTHERS / "total.cl"), "--set", "count=99", "--global", "64", "--local", "8", "--design", "UL2:loop 7"],
         "loop 'loop 7': unrolling 99/64 iterations by 2 leaves a rest"),
    ],
)  # fmt: skip
def test_options_that_do_not_fit_are_refused(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(arguments, monkeypatch, capsys)
