"""Mistakes that newcomers made, or were about to make: each with words that its message must hold."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from tests.cli.mistakes import NETWORK, Mistake

_PLACED = NETWORK.replace("[process.a]", '[node.x]\nclock = "1 MHz"\n[process.a]\nnode = "x"')
_REGION = """#include "hls_stream.h"
void p(hls::stream<int> &a) { for (int i = 0; i < 4; i++) a.write(i); }
void q(hls::stream<int> &a, int o[4]) { for (int i = 0; i < 4; i++) o[i] = a.read(); }
void f(int o[4]) {
#pragma HLS dataflow
hls::stream<int> a;
p(a);
q(a, o);
}
"""
_LOOP = "void f(int a[4]) { for (int i = 0; i < 4; i++) {\n#pragma HLS %s\na[i] = i; } }\n"


def _in_channel(line: str) -> str:
    return f"{NETWORK}{line}\n"


def _in_process(line: str) -> str:
    return NETWORK.replace("firings = 4", f"firings = 4\n{line}", 1)


WRONG_FILES = {
    "style_number.toml": (f"style = 3\n{NETWORK}", "is none of elastic, flushable, frozen"),
    "style_unknown.toml": (f"style = 'vitis'\n{NETWORK}", "nor a kind of hardware (ppnsim styles)"),
    "depth_text.toml": (_in_channel('depth = "16"'), "must be a whole number, or 'unbounded'"),
    "depth_float.toml": (_in_channel("depth = 2.0"), "must be a whole number, or 'unbounded'"),
    "depth_inf.toml": (_in_channel("depth = inf"), "must be a whole number, or 'unbounded'"),
    "depth_list.toml": (_in_channel("depth = [1, 2]"), "depth = [1, 2] must be a whole number"),
    "clock_twice.toml": (f"clock_ns = 5\n{NETWORK}", "both say the period (give one)"),
    "clock_comma.toml": (NETWORK.replace("100", "100,5"), "did you mean '100.5 MHz'?"),
    "clock_small.toml": (NETWORK.replace("MHz", "mhz"), "did you mean '100 MHz'?"),
    "clock_negative.toml": (NETWORK.replace("100", "-100"), "above 0 Hz"),
    "pattern_open.toml": (_in_channel('produce = "2 x (1 x"'), "is not a pattern like"),
    "pattern_word.toml": (_in_channel('produce = "2 y 1"'), "a list of them, or a pattern like '2 x 0"),
    "pattern_empty.toml": (_in_channel('consume = ""'), "a list of them, or a pattern like '2 x 0"),
    "pattern_none.toml": (_in_channel('produce = "0 x 1"'), "repeats nothing (leave it out)"),
    "half_token.toml": (_in_channel("produce = 0.5"), "a list of them, or a pattern like '2 x 0"),
    "too_many_read.toml": (_in_channel("consume = 3"), "rates do not balance"),
    "own_token.toml": (NETWORK.replace('to = "b"', 'to = "a"'), "give the channel initial tokens"),
    "no_process.toml": ('[channel.c]\nfrom = "a"\nto = "b"\n', "has no process"),
    "plural.toml": (NETWORK.replace("[process.", "[processes."), "did you mean 'process'?"),
    "list.toml": ('[[process]]\nname = "a"\nfirings = 4\n', "write [process.NAME] instead of [[process]]"),
    "latency_unit.toml": (_in_process('latency = "3 parsec"'), "latency = '3 parsec' must be a number and a unit"),
    "latency_ends.toml": (_in_process("latency = { uniform = [5, 2], seed = 1 }"), "its smaller end first"),
    "latency_name.toml": (_in_process("latency = { unifrom = [2, 5], seed = 1 }"), "did you mean 'uniform'?"),
    "firings_true.toml": (NETWORK.replace("firings = 4", "firings = true", 1), "firings = true must be a whole number"),
    "firings_huge.toml": (NETWORK.replace("firings = 4", f"firings = {10**20}"), "up to 2**53"),
    "ii_nan.toml": (_in_process("ii = nan"), "ii = nan must be a whole number"),
    "placed.toml": (_PLACED, "unknown key 'clock' (it stands in [node.NAME]"),
    "umlaut.toml": (NETWORK.replace("process.a", "process.\N{LATIN SMALL LETTER O WITH STROKE}"), "stands in quotes"),
    "curly.toml": (NETWORK.replace('"100 MHz"', "\N{LEFT DOUBLE QUOTATION MARK}1 MHz"), "is no quote of TOML: write"),
    "hard_blank.toml": (NETWORK.replace("firings =", "firings\N{NO-BREAK SPACE}=", 1), "a blank that is none, U+00A0"),
    "really_json.toml": ('{"processes": []}', "it looks like JSON: call the file .json"),
    "really_xml.toml": ("<sdf3/>", "it looks like XML"),
    "really_toml.json": (NETWORK, "it looks like TOML: call the file .toml"),
    "trailing.json": ('{"processes": [{"name": "a", "firings": 4},]}', "JSON has no comma before ']'"),
    "commented.json": ('// mine\n{"processes": []}', "JSON has no comments"),
    "quotes.json": ("{'processes': []}", "double quotes"),
    "same_name.json": ('{"processes": [{"name": "a", "firings": 4}, {"name": "a", "firings": 4}]}', "declared twice"),
    "nameless.json": ('{"processes": [{"firings": 4}]}', "name is missing"),
    "net.yaml": ("process: 4\n", "is not a format that ppnsim reads here (known: .toml, .json"),
    "recursive.c": ("void k(int a[8], int n) { if (n) k(a, n - 1); }\n", "write it as a loop"),
    "only_main.c": ("int main(void) { return 0; }\n", "no function with a for loop"),
    "no_dataflow.cpp": (_REGION.replace("#pragma HLS dataflow", ""), "'#pragma HLS dataflow' lets its writer"),
    "two_writers.cpp": (_REGION.replace("p(a);\nq", "p(a);\np(a);\nq"), "one writes, one reads; give each its own"),
    "depth_none.cpp": (
        _REGION.replace("p(a);\nq", "#pragma HLS stream variable=a depth=0\np(a);\nq"), "a whole number from 1 on",
    ),
    "own_header.cpp": ('#include "mine.h"\nvoid f(int a[4]) { a[0] = N; }\n', "give its folder with -I"),
}  # fmt: skip
"""Files that ``ppnsim run`` refuses, each with what is said of it."""

_OTHERS = {
    "ii_none.cpp": _LOOP % "pipeline II=0", "factor.cpp": _LOOP % "unroll factor=x",
    "below.py": "def cycles():\n    return -3\n", "nan.py": "def cycles():\n    return float('nan')\n",
    "imports.py": "import nosuchmodule\n", "later.py": "async def cycles():\n    return 3\n",
    "model.py": "class Model:\n    def cycles(self):\n        return 3\n",
    "several.json": '[{"lossless": {"depths": {"c": 3}}}]', "deep.json": '{"c": "deep"}', "below.json": '{"c": -1}',
}  # fmt: skip
TEXTS = {name: text for name, (text, _) in WRONG_FILES.items()} | _OTHERS
"""Files of the folder in which the mistakes are made."""

_LINES = [
    ("help", "'ppnsim --help' lists all"),
    ("help run", "'ppnsim COMMAND --help' explains one"),
    ("schedule ii_none.cpp", "ii = 0 is not a whole number from 1 on"),
    ("schedule factor.cpp", "-D x=16"),
    ("compare net.toml --model below.py", "returns -3, below 0"),
    ("compare net.toml --model nan.py", "returns nan, which is not a number"),
    ("compare net.toml --model imports.py", "line 1: ModuleNotFoundError: No module named 'nosuchmodule'"),
    ("compare net.toml --model later.py", "'cycles' is an async function"),
    ("compare net.toml --model model.py", "has no function: a model is one function"),
    ("compare net.toml --model absolute,unbounded", "are 2 models: give --model once for each"),
    ("compare net.toml --tolerance 5", "5 % is 0.05 or 5%"),
    ("compare DDR4-2400 --vary colour=3", "'colour' does not vary of a memory (there are frequency"),
    ("compare scenarios/opencl/vecadd.toml --set W=33554432", "by its parameters (--set or --vary NAME=N)"),
    ("run net.toml --depths several.json", "of one file"),
    ("run net.toml --depths deep.json", "nor an object of a depth per channel"),
    ("run net.toml --depths below.json", "depths start at 1"),
    ("run net.toml --depth =3", "neither N nor CHANNEL=N"),
    ("run net.toml --depth c==3", "did you mean 'c'?"),
    ("run net.toml --depth '*=0'", "depths start at 1"),
    ("run net.toml --depth 'q*=3'", "no channel is called 'q*'"),
    ("run net.toml --depth c=1e3", "neither N nor CHANNEL=N"),
    ("run net.toml --style ''", "is none of elastic, flushable, frozen"),
    ("run net.toml --style frozen --style elastic", "is given twice, and only 'elastic' would count"),
    ("run net.toml --json a.json --json b.json", "is given twice, and only 'b.json' would count"),
    ("run net.toml --out ''", "names no place"),
    ("size net.toml --json ''", "names no place"),
    ("scenarios --copy ''", "names no place"),
    ("run net.toml --csv a.csv", "--out DIR writes its tables"),
    ("run net.toml --plot a.jpeg", "'.jpeg' is none of .svg, .png, .pdf"),
    ("run net.toml --plot a.svg --pictures png", "--pictures: changes nothing: the suffix of 'a.svg' says it"),
    ("size net.toml --depth c=4", "--limit CHANNEL=LOW:HIGH bounds"),
    ("explain net.toml --out a.txt", "--csv writes tables, --json writes results, --plot writes the picture"),
    ("estimate net.toml -o a.json", "--json writes results"),
    ("profile k.c -o a.csv", "--csv writes tables"),
    ("run net.toml --out o --window 1:2:3", "is not of the form A:B"),
    ("sweep net.toml --vary c.depth=1,,2", "'' is not a whole number"),
    ("sweep net.toml --vary c.depth=1:4:0", "that goes up"),
    ("sweep net.toml --vary c.style=elastic", "'c' is not a process, which style needs"),
    ("sweep net.toml --vary clock=5", "must be a number and a unit"),
    ("sweep net.toml --vary c.depth=1:1000000000", "(at most 1000000)"),
    ("explain net.toml --csv - --json -", "only one of --csv and --json can be -"),
    ("lost scenarios/hls/subtract_mean.cpp --depth kept=64 --design none", "what --design schedules has no FIFOs"),
    ("lost scenarios/kernels/predictor.c --depth 3", "this kernel has no FIFOs"),
    ("run NET.toml", "did you mean 'net.toml'?"),
    ("explain nte.toml", "did you mean 'net.toml'?"),
]  # fmt: skip


def newcomers() -> Iterator[Mistake]:
    """Yield command lines with what their messages must say."""
    yield from ((["run", name], words) for name, (_, words) in WRONG_FILES.items())
    yield from ((shlex.split(line), words) for line, words in _LINES)
