"""Every option of every command on every kind of source: it acts, is refused, or something is said of it.

``python -m tests.cli.walk [COMMAND,..] [KIND,..]`` walks all of them, which takes two minutes of a processor, and lists
what changes nothing. `tests.cli.test_walk` walks the part that decides which options a kind takes.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from ppnsim.cli.app import COMMANDS, app, command_called
from ppnsim.errors import PpnsimError
from tests.cli.test_conventions import ACTORS
from tests.golden.told import ROOT

NETWORK = """name = "n"
clock = "100 MHz"
[process]
a = { firings = 6, ii = 3 }
b = { firings = 6, latency = 9 }
c = { firings = 6, latency = 2 }
[channel]
x = { from = "a", to = "c", depth = 3 }
y = { from = "b", to = "c", depth = 2 }
z = { from = "a", to = "b", depth = 2 }
"""
PLACED = """name = "p"
[node.l]
clock = "200 MHz"
[node.r]
clock = "100 MHz"
[link.w]
between = ["l", "r"]
latency = "30 ns"
gap = "10 ns"
[process]
a = { node = "l", firings = 9, ii = 3 }
b = { node = "r", firings = 9, latency = 9 }
c = { node = "r", firings = 9 }
[channel]
x = { from = "a", to = "c", depth = 3 }
y = { from = "b", to = "c", depth = 2 }
z = { from = "a", to = "b", depth = 2 }
"""
KERNEL = """#ifndef N
#define N 6
#endif
void k(float a[N], float b[N], float c[N], int n) {
#pragma HLS interface m_axi port=c bundle=g
  for (int i = 0; i < N; i++) { s: a[i] = b[i] * 3 + c[i] + b[i] + a[i]; }
  for (int i = 0; i < N; i++) {
    t: b[i] = a[i];
    for (int j = 0; j < i; j++) { u: b[i] += a[j]; }
  }
}
"""
REGION = """#include "hls_stream.h"
#ifndef N
#define N 6
#endif
static void load(const float m[N], hls::stream<float> &o) { for (int i = 0; i < N; i++) o.write(m[i]); }
static void work(hls::stream<float> &in, hls::stream<float> &o) {
  for (int i = 0; i < N; i++) {
    float v = in.read();
    o.write(v * 3 + v + 1 + v * v);
  }
}
static void store(hls::stream<float> &in, float m[N]) { for (int i = 0; i < N; i++) m[i] = in.read(); }
void top(const float a[N], float b[N]) {
#pragma HLS interface m_axi port=a bundle=g0
#pragma HLS interface m_axi port=b bundle=g1
#pragma HLS dataflow
  hls::stream<float> x;
  hls::stream<float> y;
  load(a, x);
  work(x, y);
  store(y, b);
}
"""
BENCH = """void top(const float a[6], float b[6]);
int main() { float a[6] = {1, 2, 3, 4, 5, 6}, b[6]; top(a, b); return 0; }
"""


def _shipped(path: str, many: str = "", few: str = "") -> str:
    return (ROOT / path).read_text(encoding="utf-8").replace(many, few)


FILES = {
    "net.toml": NETWORK, "placed.toml": PLACED, "k.c": KERNEL, "d.cpp": REGION, "bench.cpp": BENCH, "g.xml": ACTORS,
    "hls_config.cfg": "part=xc7z020clg400-1\n[hls]\nsyn.top=top\nsyn.file=d.cpp\nclock=10ns\n",
    "platform.toml": _shipped("scenarios/platforms/image_filter.toml"),
    "roof.toml": _shipped("tests/golden/files/walls.toml"),
    "v.cl": _shipped("scenarios/opencl/vecadd.cl", "33554432", "1024"),
    "v.toml": _shipped("scenarios/opencl/vecadd.toml", "33554432", "1024"),
    "ranks.json": _shipped("tests/golden/files/messages.json"), "flows.json": _shipped("tests/golden/files/flows.json"),
    "dram.json": _shipped("tests/golden/files/ddr.json"),
    "sized.json": '{"x": 1}', "earlier.json": '{"lossless": null}',
    "time.toml": "latency.s = 9\n", "mem.toml": '[[memory]]\nname = "b"\nbits = 1024\nwidths = [1, 8]\n',
    "m.py": "def cycles():\n    return 30\n",
}  # fmt: skip
KINDS = {
    "network": "net.toml", "sdf3": "g.xml", "placed": "placed.toml", "platform": "platform.toml", "kernel": "k.c",
    "region": "d.cpp", "executed": "d.cpp --trace t.trace", "project": "hls_config.cfg", "opencl": "v.cl",
    "opencl toml": "v.toml", "roofline": "roof.toml", "messages": "ranks.json", "flows": "flows.json",
    "dram": "dram.json",
}  # fmt: skip
"""A file of each kind, and what else says so."""

VALUES: dict[str, Sequence[str]] = {
    "--style": ("frozen", "flushable"), "--depth": ("1",), "--depths": ("sized.json",), "--initial": ("x=1", "*=1"),
    "--iterations": ("3",),
    "--convention": ("sdf3", "ppn"), "--function": ("nosuch",), "-D": ("N=4", "W=64"), "-I": ("nowhere",),
    "--set": ("n=3", "W=64"), "--device": ("xcvu9p", "de5-net"),
    "--clock": ("3ns",),
    "--pragma": ("pipeline off", "6: pipeline off"),
    "--testbench": ("bench.cpp",), "--trace": ("t.trace",), "--time-limit": ("50",), "--reports": ("reports",),
    "--tclargs": ("a",), "--solution": ("s9",), "--memory": ("DDR4-2400", "U280-HBM"), "--latency": ("7",),
    "--ii": ("4",),
    "--timing": ("time.toml",), "--out": ("o",), "--engine": ("des", "compiled"), "--window": ("2:9",),
    "--pictures": ("svg",), "--json": ("-",), "--top": ("0",), "--plot": ("p.svg",), "--csv": ("-",),
    "--design": ("none", "SM"), "--learn": ("N",), "--at": ("N=64",),
    "--vary": ("x.depth=1,4", "N=8,16", "a.ii=1,2", "W=16,32", "locality", "node.map.count=1,2"),
    "--sizes": ("6,7,8,9,10,11",), "--objective": ("period",), "--target": ("999",), "--cost": ("bits", "fpga"),
    "--memories": ("mem.toml",), "--limit": ("x=4:9",), "--group": ("x,z",), "--start": ("earlier.json",),
    "--budget": ("1",), "--within": ("100%",), "--seconds": ("0.000001",), "--samples": ("1",), "--seed": ("3",),
    "--jobs": ("1",), "--dask": ("tcp://nowhere:1",), "--part": ("1/2",), "--merge": ("nofile.csv",),
    "--model": ("absolute", "m.py", "lost"), "--tolerance": ("90%",), "--global": ("64",), "--local": ("8",),
    "--loop": ("6",), "--flow": ("vivado", "vitis"), "--release": ("2020.1", "2023.2"),
    "--clock-uncertainty": ("0%", "60%"), "--most": ("2",),
    "--unfold": ("s=2",), "--cut": ("s",), "--skew": ("s@i=1*i",), "--interchange": ("s@i,j",), "--keep": ("s",),
    "--max-processes": ("2",), "--quanta": ("8",), "--metric": ("flops", "ops"), "--bank": ("ddr",),
    "--plot-quanta": ("q.svg",), "--requests": ("200",), "--format": ("json", "csv"), "--from": ("2",), "--to": ("5",),
    "--table": ("tokens", "occupancy"),
}  # fmt: skip
"""Values that change something wherever an option has a meaning; several where that depends on the source."""

NEEDED = {
    "report": ["--out", "o.html"],
    "draw": ["--out", "o.svg"],
    "export": ["--out", "o.csv"],
    "derive": ["--out", "o.json"],
}
SWEPT = {"kernel": "N=4,5", "region": "N=4,5", "sdf3": "A.latency=1,2"}
SILENT = {
    "--no-fast-forward": "takes longer", "--self-check": "checks", "--jobs": "takes longer",
    "--time-limit": "is a limit", "--within": "is a limit", "--trace": "is written with the same bytes",
    "--testbench": "gives the trace that is read",
}  # fmt: skip
"""Options that are not to change what is answered, with the reason."""
HERE = {
    ("compare", "opencl", "--local"): "the groups of an addition", ("opencl", "opencl", "--local"): "the same",
    ("explain", "kernel", "--top"): "there is no change to try",
    ("schedule", "kernel", "--release"): "no loop of it that releases schedule differently",
    **{("schedule", kind, option): "one loop in each task, as long in each run"
       for kind in ("region", "project") for option in ("--release", "--worst")},
}  # fmt: skip
"""Options that change nothing of these sources, with the reason."""
NOT_WALKED = ("styles", "scenarios", "lesson")
SERVER = ("--serve", "--open", "--no-open", "--port")
_WALL = re.compile(r"\d+\.\d\d? s\b|\"seconds\": [0-9.e-]+")


def prepare(*, trace: bool = True) -> None:
    """Write the files of all kinds here; a ``trace`` needs a compiler."""
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("reports").mkdir()
    if trace:
        _asked(["run", "d.cpp", "--testbench", "bench.cpp", "--trace", "t.trace"])


def options_of(command: str) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the options of a command with the ways in which they are given."""
    for each in command_called(command).params:
        name = max(each.opts, key=len)
        if each.param_type_name == "option" and name not in SERVER:
            if each.is_flag:
                name = each.secondary_opts[0] if each.secondary_opts and each.default else name
                yield name, [[name]]
            else:
                yield name, [[name, value] for value in VALUES[name]]


def base_of(command: str, kind: str) -> list[str]:
    """Return a command on a kind of source, with what it needs."""
    words = [command, *KINDS[kind].split(), *NEEDED.get(command, [])]
    if command == "sweep":
        words += ["--vary", SWEPT.get(kind, "a.ii=3,4" if kind in ("network", "placed") else "x.depth=2,3")]
    if (command, kind) == ("compare", "placed"):
        words += ["--model", "m.py"]
    known = {name for name, _ in options_of(command)}
    return words + (["--json", "all.json"] if "--json" in known else [])


def outcome(words: Sequence[str]) -> tuple[int, str, str, dict[str, str]]:
    """Return exit code, output, messages and files of a command; the files are removed."""
    before = set(_files())
    code, output, said = _asked(words)
    files = {}
    for path in set(_files()) - before:
        files[str(path)] = _WALL.sub("", path.read_bytes().decode("latin-1"))
        path.unlink()
    return code, _WALL.sub("", output), _WALL.sub("", said), files


def silent(command: str, kind: str, option: str, ways: Sequence[Sequence[str]], plain: Any) -> bool:
    """Return whether none of the ways to give an option changes the answer, is refused, or has a word said of it."""
    base = base_of(command, kind)
    if option in base and option not in ("--vary", "--model"):
        at = base.index(option)
        base = base[:at] + base[at + 2 :]
    for way in ways:
        found = outcome([*base, *way])
        assert found[0] != 1, (base, way, found[2])
        if found != plain:
            return False
    return True


def walk(commands: Sequence[str], kinds: Sequence[str]) -> Iterator[str]:
    """Yield what changes nothing, a line each."""
    for command in commands:
        for kind in kinds:
            plain = outcome(base_of(command, kind))
            if plain[0] not in (0, 3):
                continue
            for option, ways in options_of(command):
                known = option in SILENT or (command, kind, option) in HERE
                if not known and silent(command, kind, option, ways, plain):
                    yield f"{command} {KINDS[kind]} {' '.join(ways[0])}"


def _asked(words: Sequence[str]) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, list(words))
    if isinstance(done.exception, PpnsimError):
        return done.exception.exit_code, done.stdout, done.stderr + str(done.exception)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def _files() -> Iterator[Path]:
    return (path for path in Path().rglob("*") if path.is_file())


def main() -> None:
    """Walk and print."""
    asked = [each.split(",") for each in sys.argv[1:]]
    commands = asked[0] if asked else [each for each in COMMANDS if each not in NOT_WALKED]
    kinds = asked[1] if len(asked) > 1 else list(KINDS)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["COLUMNS"] = "160"
        prepare()
        for line in walk(commands, kinds):
            print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
