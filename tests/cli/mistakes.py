"""Two hundred mistakes at the command line, each with words that its message must hold: the remedy, or where it is."""

from __future__ import annotations

from collections.abc import Iterator

NETWORK = """
clock = "100 MHz"
[process.a]
firings = 4
[process.b]
firings = 4
[channel.c]
from = "a"
to = "b"
"""
KERNEL = "void k(int a[8]) { for (int i = 0; i < 8; i++) a[i] = i; }\n"
ROOFLINE = """
device = "xcvu9p"
clock = "200 MHz"
[memory.ddr]
preset = "DDR4-2400"
[[operator]]
name = "add"
type = "float"
count = 8
[argument.A]
memory = "ddr"
bytes = 64
"""
PLATFORM = """
[platform]
preset = "src6"
[node.map]
count = 2
"""
FILES = {
    "net.toml": NETWORK,
    "net.json": '{"processes": [{"name": "a", "firings": 4}], "channels": []}',
    "k.c": KERNEL,
    "two.c": KERNEL + KERNEL.replace("void k", "void l"),
    "empty.toml": "", "empty.json": "", "empty.xml": "", "empty.c": "",
    "list.json": "[]", "number.json": "7",
    "half.json": '{"processes": [', "half.toml": "[process.a", "half.c": "void k(",
    "notes.txt": "hello", "noname": "hello",
    "no_depths.json": "{}", "answer.json": '{"file": "net.toml", "lossless": null, "deadlock_free": null, "front": []}',
    "sized.json": '{"lossless": {"depths": {"nobody": 3}}, "target": null}', "none.json": '{"lossless": null}',
    # models of a user's own
    "unknown.py": "def cycles(nosuch):\n    return 3\n", "text.py": "def cycles():\n    return 'x'\n",
    "none_in.py": "x = 3\n", "syntax.py": "def cycles(:\n", "two.py": "def a():\n    pass\ndef b():\n    pass\n",
    "lung.py": "def cycles(network):\n    return network.process('lung').ii\n",
    "huge.py": "def cycles():\n    return 10**400\n", "leaves.py": "def cycles():\n    raise SystemExit(3)\n",
    # tables with a name or a kind of value that the walk through their schema does not know
    "bank.toml": ROOFLINE.replace('memory = "ddr"', 'memory = ""'), "zero.toml": PLATFORM.replace("= 2", '= "\\u0000"'),
    "twice.toml": "[platform]\n[platform]\n", "deep.toml": "[a.b.c]\n[a.b.c]\n",
    "bare.toml": "name = 'a'\nclock = 200 MHz\n",
    "slip.cpp": "void f(int a[4]) {\nfor (int i = 0; i < 4; i++) {\n#pragma HSL pipeline\na[i] = i; }\n}\n",
    "few.cpp": "void g(int *a, int n) { *a = n; }\nvoid f(int a[3]) { g(a); }\n",
    "header.cpp": "void f(hls::stream<int> &a) { a.write(3); }\n", "int.cpp": "void f(ap_uint<3> b[3]) { b[0] = 3; }\n",
}  # fmt: skip
"""Files of the folder in which the mistakes are made; ``binary.SUFFIX`` are not text, ``folder.SUFFIX`` are folders."""

SHIPPED = {
    "platform": "scenarios/platforms/image_filter.toml", "placed": "scenarios/networks/two_fpgas.toml",
    "opencl": "scenarios/opencl/vecadd.toml", "cl": "scenarios/opencl/mm.cl",
    "roofline": "scenarios/rooflines/nbody.toml", "network": "scenarios/networks/fork_join.toml",
}  # fmt: skip

_OUT = {
    "draw": ["-o", "o.svg"], "derive": ["-o", "o.json"], "export": ["-o", "o.vcd"], "report": ["-o", "o.html"],
    "sweep": ["--vary", "c.depth=1,2"],
}  # fmt: skip
_NETWORKS = ("run", "explain", "size", "sweep", "estimate", "draw", "report", "export", "lost")
_SOURCES = ("schedule", "profile", "derive", "transform", "explore-splits", "explore-directives")
_OTHERS = ("roofline", "opencl", "platform", "memory")

Mistake = tuple[list[str], str]


def mistakes() -> Iterator[Mistake]:
    """Yield command lines with what their messages must say."""
    yield from _wrong_files()
    yield from _wrong_kinds()
    yield from ((["run", f"wrong_{place}.toml"], words) for place, (_, words) in enumerate(WRONG_NETWORKS))
    for line, words in WRONG_OPTIONS:
        yield line.split(), words


def _wrong_files() -> Iterator[Mistake]:
    for command in (*_NETWORKS, *_SOURCES, *_OTHERS):
        suffix = ".c" if command in _SOURCES else ".json" if command == "memory" else ".toml"
        more = _OUT.get(command, [])
        yield [command, f"nowhere{suffix}", *more], f"nowhere{suffix}: no such file"
        yield [command, f"folder{suffix}", *more], f"folder{suffix}: is a directory"
        yield [command, f"binary{suffix}", *more], "is not UTF-8 text" if suffix != ".c" else "binary.c"
    for command in (*_NETWORKS, *_SOURCES, "roofline", "opencl"):
        yield [command, "notes.txt", *_OUT.get(command, [])], "notes.txt"
    for command in ("run", "explain", "size", "estimate"):
        yield [command, "empty.toml"], "empty.toml"
        yield [command, "empty.json"], "empty.json"
        yield [command, "half.json"], "half.json:1:"
        yield [command, "half.toml"], "half.toml"
        yield [command, "list.json"], "list.json"
        yield [command, "empty.xml"], "empty.xml"
    for command in ("schedule", "profile", "explore-splits"):
        yield [command, "empty.c"], "empty.c"
        yield [command, "half.c"], "half.c:"


def _wrong_kinds() -> Iterator[Mistake]:
    takers = {
        "platform": ("explain", "size", "draw", "sweep", "lost"),
        "placed": ("explain", "size", "estimate"),
        "opencl": ("run", "explain", "size", "roofline", "estimate", "platform"),
        "roofline": ("run", "explain", "opencl", "platform", "estimate"),
        "network": ("opencl", "roofline", "platform", "memory"),
    }
    known = {"platform": "run", "placed": "run", "opencl": "opencl", "roofline": "roofline", "network": "run"}
    for kind, commands in takers.items():
        for command in commands:
            yield [command, SHIPPED[kind], *_OUT.get(command, [])], f"it is for ppnsim {known[kind]}"
    for command in ("run", "explain", "roofline"):
        yield [command, SHIPPED["cl"]], "cl"
    for command in _SOURCES:
        yield [command, "net.toml", *_OUT.get(command, [])], "net.toml"


WRONG_NETWORKS = [
    (NETWORK.replace("firings = 4", "firings = 0", 1), "firings"),
    (NETWORK.replace("firings = 4", "firings = -4", 1), "process 'a': firings = -4"),
    (NETWORK.replace("firings = 4", "firings = 4.5", 1), "must be a whole number"),
    (NETWORK.replace("firings = 4", 'firings = "four"', 1), "process 'a': firings = 'four'"),
    (NETWORK.replace("firings = 4", "firing = 4", 1), "did you mean 'firings'"),
    (NETWORK.replace("firings = 4", "", 1), "process 'a': firings is missing"),
    (NETWORK.replace('clock = "100 MHz"', 'clock = "100 kg"'), "clock = '100 kg'"),
    (NETWORK.replace('clock = "100 MHz"', "clock = 200"), "unit"),
    (NETWORK.replace('clock = "100 MHz"', "clok = 3"), "did you mean 'clock'"),
    (NETWORK.replace('to = "b"', 'to = "bb"'), "'bb'"),
    (NETWORK.replace('to = "b"', ""), "to is missing"),
    (NETWORK.replace('to = "b"', 'to = "b"\ndepth = 0'), "depths start at 1"),
    (NETWORK.replace('to = "b"', 'to = "b"\ndepth = -1'), "channel 'c': depth = -1"),
    (NETWORK.replace('to = "b"', 'to = "b"\ndepth = "deep"'), "unbounded"),
    (NETWORK.replace('to = "b"', 'to = "b"\ndepht = 3'), "did you mean 'depth'"),
    (NETWORK.replace('to = "b"', 'to = "b"\nwidth = "3 furlongs"'), "channel 'c': width"),
    (NETWORK.replace('to = "b"', 'to = "b"\nproduce = -1'), "at least one number of tokens per firing"),
    (NETWORK.replace('to = "b"', 'to = "b"\nwrites = [0]'), "reads"),
    (NETWORK.replace("firings = 4", 'firings = 4\nstyle = "rigid"', 1), "elastic"),
    (NETWORK.replace("firings = 4", "firings = 4\nii = 0.5", 1), "ii = 0.5"),
    (NETWORK.replace("firings = 4", 'firings = 4\nlatency = "15 ms ms"', 1), "latency"),
    (NETWORK.replace("firings = 4", "firings = 4\nlatency = [1, 2]", 1), "latency"),
    (NETWORK.replace("firings = 4", 'firings = 4\nresource = "mul"', 1), "mul"),
    (NETWORK + "[process.a]\nfirings = 1\n", "process 'a' is declared twice"),
    (NETWORK.replace('to = "b"', 'to = "b"\ninitial = -1'), "initial = -1"),
    (NETWORK.replace("firings = 4\n[channel", "firings = 5\n[channel"), "channel 'c'"),
]
"""Texts of networks with a fault, and what the message says of it."""

WRONG_OPTIONS = [
    ("run", "FILE..."),
    ("run net.toml --depht 3", "--depth"),
    ("run net.toml --out x.toml", "ppnsim export -o the network"),
    ("run net.toml --depth", "--depth"),
    ("run net.toml --depth x=3", "no channel is called 'x' (known: c)"),
    ("run net.toml --depth c=", "CHANNEL=N"),
    ("run net.toml --depth c=-1", "CHANNEL=N"),
    ("run net.toml --depth c=0", "depths start at 1"),
    ("run net.toml --depth c=9999999999999999999", "more tokens than any memory holds"),
    ("run net.toml --depths nowhere.json", "--depths nowhere.json: no such file"),
    ("run net.toml --depths net.toml", "--depths net.toml"),
    ("run net.toml --depths list.json", "neither a result of 'ppnsim size"),
    ("run net.toml --depths sized.json", "no channel is called 'nobody'"),
    ("run net.toml --depths none.json", "found no depths without loss"),
    ("run net.toml --depths no_depths.json", "no_depths.json: holds no depths"),
    ("run answer.json", "answer.json: holds a result of 'ppnsim size', not a network: 'ppnsim run net.toml --depths'"),
    ("folder.toml", "folder.toml: is a directory; give a file in it"),
    (".", "is a directory; give a file in it, like answer.json"),
    ("run net.toml --style Elastik", "did you mean 'elastic'?"),
    ("run net.toml --style rigid", "elastic"),
    ("run net.toml --engine fast", "compiled"),
    ("run net.toml --convention mine", "sdf3"),
    ("run net.toml --iterations 3", "iterations"),
    ("run net.toml --iterations x", "--iterations"),
    ("run net.toml --json nowhere/a.json", "there is no directory 'nowhere'"),
    ("run net.toml --json .", "is not a file to write to"),
    ("run net.toml --json net.toml", "the input itself"),
    ("run net.toml --out net.toml", "is to be a folder and looks like a file"),
    ("run net.toml --window 1:2", "--out"),
    ("run net.toml --out o --window 5", "of the form A:B"),
    ("run net.toml --out o --window 1us:1kg", "of the form A:B"),
    ("run net.toml --out o --window 900:901", "the run has the cycles"),
    ("run net.toml --device xc7z020", "can only be used with C and C++ sources"),
    ("run net.toml --pictures gif", "svg"),
    ("run k.c --device xc0", "#pragma HLS dataflow"),
    ("run k.c --clock 10", "unit"),
    ("run k.c --clock ten", "must be a number and a unit"),
    ("run k.c --function l", "l"),
    ("run two.c", "choose one with --function (k, l)"),
    ("run k.c --iterations 3", "SDF3"),
    ("run k.c --testbench nowhere.cpp", "nowhere.cpp: no such file"),
    ("run k.c --latency x=3", "no statement or function is called 'x'"),
    ("run k.c --latency -1", "below 0"),
    ("run k.c --ii 0", "below 1 cycle"),
    ("run k.c --set n", "NAME=VALUE"),
    ("run k.c --set n=x", "whole number"),
    ("run k.c --set n=3", "n"),
    ("run k.c -D 3=4", "-D"),
    ("run k.c --timing nowhere.toml", "nowhere.toml: no such file"),
    ("draw net.toml", "--out"),
    ("draw net.toml -o net.gif", ".svg, .png, .pdf, .dot"),
    ("draw net.toml -o nowhere/net.svg", "there is no directory 'nowhere'"),
    ("export net.toml", "--out"),
    ("export net.toml -o run.gif", "is none of"),
    ("export net.toml -o run.vcd --format json", ".json"),
    ("export net.toml -o net.toml", "the input itself"),
    ("export net.toml -o run.vcd --table firings", "--table says nothing to the format vcd"),
    ("export net.toml -o run.vcd --window 3", "of the form A:B"),
    ("export net.toml -o run.vcd --window 7:3", "holds no cycle"),
    ("export net.toml -o nowhere/run.vcd", "there is no directory 'nowhere'"),
    ("report net.toml", "--out"),
    ("report net.toml -o page.pdf", ".html"),
    ("size net.toml --target 0", "above 0 cycles"),
    ("size net.toml --target soon", "is not a number of cycles"),
    ("size net.toml --cost euro", "fpga"),
    ("size net.toml --limit c", "CHANNEL=LOW:HIGH"),
    ("size net.toml --limit x=1:2", "x"),
    ("size net.toml --limit c=3:2", "the lower one first"),
    ("size net.toml --limit c=1:2 --limit c=2", "has a limit already"),
    ("size net.toml --group c,x", "x"),
    ("size net.toml --within 5", "5%"),
    ("size net.toml --seconds 0", "above 0"),
    ("size net.toml --memories nowhere.toml", "--cost fpga"),
    ("size net.toml --start net.toml", "--start net.toml"),
    ("size net.toml --plot front.gif", ".svg, .png, .pdf"),
    ("size net.toml --no-front --plot front.svg", "--no-front"),
    ("size net.toml -o sized.yaml", "known: .json, .toml"),
    ("size net.toml -o sized.cpp", "is not a C or C++ source"),
    ("size net.toml -o net.toml", "is the source itself"),
    ("size net.toml net.json -o sized.toml", "only one can be copied"),
    ("sweep net.toml", "--vary"),
    ("sweep net.toml --vary c.depth", "c.depth"),
    ("sweep net.toml --vary c.deep=1:4", "deep"),
    ("sweep net.toml --vary x.depth=1:4", "x"),
    ("sweep net.toml --vary c.depth=4:1", "c.depth=4:1"),
    ("sweep net.toml --vary c.depth=1:4 --part 3/2", "3/2"),
    ("sweep net.toml --vary c.depth=1:4 --jobs 0", "below 1 process"),
    ("sweep net.toml --vary c.depth=1:4 -o rows.txt", ".csv"),
    ("explain net.toml --top -1", "below 0"),
    ("explain net.toml --plot path.gif", ".svg, .png, .pdf"),
    ("lost net.toml --design none", "can only be used with C sources"),
    ("lost k.c --design fast", "fast"),
    ("lost k.c --at N=4", "a name of --learn (none)"),
    ("lost k.c --learn N", "N"),
    ("schedule k.c --pragma fold", "fold"),
    ("schedule k.c --loop 7 --plot a.svg", "no pipelined loop begins in line 7"),
    ("schedule k.c --reports nowhere", "nowhere"),
    ("derive k.c", "--out"),
    ("derive k.c -o net.xml", "(.json)"),
    ("derive k.c -o net2.json --unfold x=2", "x"),
    ("transform k.c -o k.py", "is not a name for a C source"),
    ("transform k.c -o k.c", "is the source itself"),
    ("transform k.c --unfold", "--unfold"),
    ("profile k.c --skew k", "STMT@LOOP=N*OUTER"),
    ("profile k.c --interchange k", "STMT@OUTER,INNER"),
    ("explore-splits k.c --target 0", "below 1 cycle"),
    ("explore-directives k.c --exhaustive --most 0", "at least 1"),
    ("schedule k.c --clock 0", "--clock: '0' must be a number and a unit"),
    ("size net.toml --group c", "channel 'c' alone is no group"),
    ("compare net.toml --model absolut", "is not a model (did you mean 'absolute'?), nor a Python file"),
    ("compare net.toml --model two.py:c", "has no function 'c' (known: a, b)"),
    ("roofline scenarios/rooflines/spmv.toml --vary locality=3", "'locality' is no key of a table of this file"),
    ("explore-directives k.c -o a.csv --plot a.csv", "is also given to --plot"),
    ("memory HBM9", "HBM"),
    ("memory --vary banks", "needs a preset or a file"),
    ("memory HBM2 --vary colour", "locality"),
    ("memory HBM2 --csv a.csv", "would be empty"),
    ("memory HBM2 --vary banks --requests 3", "from 100"),
    ("platform preset:mine", "mine"),
    ("estimate scenarios/platforms/image_filter.toml --vary x", "NAME=VALUES"),
    ("estimate scenarios/platforms/image_filter.toml --vary node.x.clock=3", "node"),
    ("opencl scenarios/opencl/mm.toml --design XX", "XX"),
    ("opencl scenarios/opencl/mm.toml --vary N", "NAME=VALUES"),
    ("opencl scenarios/opencl/mm.toml --device mine", "mine"),
    ("opencl scenarios/opencl/mm.toml --global 4", "OpenCL C"),
    ("roofline k.c --quanta 0", "from 1 to 4096"),
    ("roofline k.c --memory mine", "mine"),
    ("compare", "FILE"),
    ("compare net.toml --model mine", "mine"),
    ("compare nowhere.toml", "nowhere.toml: no such file"),
    ("compare net.toml --model unknown.py", "asks for 'nosuch', which neither varies nor is set (known here: network"),
    ("compare net.toml --model text.py", "returns 'x', which is not a number"),
    ("compare net.toml --model none_in.py", "a model is one function"),
    ("compare net.toml --model syntax.py", "line 1: SyntaxError"),
    ("compare net.toml --model two.py", "chosen as two.py:FUNCTION"),
    ("compare net.toml --model lung.py", "at the source as it is: line 2: no process is called 'lung'"),
    ("compare net.toml --model huge.py", "returns a whole number of 1329 bits, which is not a number"),
    ("compare net.toml --model leaves.py", "SystemExit: 3"),
    ("compare bank.toml", "argument 'A': '' is not a memory (known: ddr)"),
    ("roofline bank.toml --simulate", "argument 'A': '' is not a memory (known: ddr)"),
    ("platform zero.toml", "node 'map': count = '\\x00' must be a whole number"),
    ("run twice.toml", "'platform' is declared twice"),
    ("run deep.toml", "a b 'c' is declared twice"),
    ("run bare.toml", 'a text stands in quotes: "200 MHz"'),
    ("run slip.cpp", "did you mean '#pragma HLS pipeline'?"),
    ("run few.cpp", "requires 2 arguments, but 1 was provided"),
    ("run net.toml --out notes.txt", "is to be a folder and looks like a file"),
    ("run net.toml --out -", "is to be a folder (--json - prints the results)"),
    ("profile scenarios/hls/subtract_mean.cpp", "ppnsim run, size and schedule take them"),
    ("explore-directives scenarios/hls/subtract_mean.cpp", "choose a task with --function"),
    ("run header.cpp", "'#include \"hls_stream.h\"' declares it"),
    ("run int.cpp", "'#include \"ap_int.h\"' declares it"),
    ("report net.toml -o page.html --window 900:", "the run has the cycles"),
    ("report scenarios/networks/two_fpgas.toml -o page.html --window 1:2", "there are several clocks"),
    ("sweep k.c --vary N", "is not of the form NAME=VALUES"),
    ("sweep k.c --vary N=x", "'x' is not a whole number"),
    ("sweep k.c --vary N=4..8", "'4..8' is not a whole number, nor a range FIRST:LAST or FIRST:LAST:STEP"),
    ("sweep k.c --vary N=2 --vary N=3", "N is varied by 2"),
    ("sweep k.c --vary N=2:3", "N = 2: "),
    ("sweep net.toml --vary N=2:3", "macros and parameters are those of C and C++ sources"),
    ("opencl scenarios/opencl/mm.toml --vary N=2 --vary N=4", "N is varied by 2"),
    ("scenarios mm", "no shipped scenario is called 'mm' (there is mm.cl, mm.toml)"),
    ("compare notes.txt", "notes.txt"),
    ("compare net.toml --vary", "--vary"),
    ("scenarios nothing", "no shipped scenario is called 'nothing'"),
    ("lesson 11", "11"),
    ("lesson one", "is not a whole number"),
    ("lesson 1 -o lesson.pdf", ".html, .ipynb, .md"),
    ("siez net.toml", "Did you mean 'size'"),
    ("nowhere.toml", "nowhere.toml: no such file"),
    ("run nowhere", "nowhere: no such file"),
    ("run net", "net: no such file (did you mean 'net.toml'?)"),
    ("notes.txt", "is not a format that ppnsim reads here"),
    ("--versio", "--version"),
]  # fmt: skip
"""Command lines, and what their message says."""
