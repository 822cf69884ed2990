"""Short sources, one a line of ``snippets.txt``: how each is scheduled and derived, or why not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.derive.derive import derive
from ppnsim.errors import PpnsimError
from ppnsim.formats.network_json import dump_network
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import Library, load_library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.schedule.scheduler import Schedule
from ppnsim.library.transform import transform
from ppnsim.loops.program import LoopProgram
from ppnsim.model.network import Network
from tests.golden import opencl_snippets

_LOOP = (
    "void k(int a[16], int b[16][4], float f[16], int n, int *p) {{\n  for (int i = 0; i < 16; i++) {{\n{}\n  }}\n}}\n"
)
_TYPES = """#include <ap_int.h>
#include <ap_fixed.h>
#include <hls_stream.h>
#include <cmath>
struct pair {{ int x; short y[2]; int sum() const {{ return x + y[0]; }} }};
typedef ap_uint<12> u_t; typedef ap_int<7> s_t; typedef ap_fixed<16, 4> q_t; typedef hls::stream<int> fifo;
{}
"""
_TYPED = """void k{}(u_t u[16], s_t s[16], q_t q[16], pair c[16], fifo &in, fifo &out, int n) {{
  for (int i = 0; i < 16; i++) {{
    {}
  }}
}}"""
_OBJECTS = """#include <array>
#include <algorithm>
#include <ap_int.h>
#include <ap_fixed.h>
#include <hls_stream.h>
#include <hls_task.h>
typedef hls::stream<int> fifo;
"""
_NEST = "void k(int s[16][24], int t[16][24], int u[16][24]) {{\n{}\n}}\n"
_WORK = "    a[i] = a[i > 0 ? i - 1 : 0] * 3 + b[i][i % 4];"
WITH_TYPES = ("snippets_streams", "snippets_objects", "snippets_rare_objects", "snippets_rare_hardware")
_LONG = 160  # characters of a channel; the rest as one number, which every change makes another one


def snippets() -> dict[str, list[str]]:
    """Return the lines by their kind."""
    found: dict[str, list[str]] = {}
    for line in Path(__file__).with_name("snippets.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            found[line.removeprefix("== ")] = []
        elif found:
            found[[*found][-1]].append(line)
    return found


def told_of(kind: str) -> str:
    """Return what is said of the snippets of a kind; those with types of C++ are functions of one file."""
    recent = kind in ("snippets_reals", "snippets_local")
    library = load_library("xcu280-fsvh2892-2L-e", 3.33) if recent else load_library("xc7z020", 10)
    lines = snippets()[kind]
    with TemporaryDirectory() as folder, chdir(folder):
        if kind.startswith("snippets_opencl_"):
            return "\n".join(opencl_snippets.told(lines)) + "\n"
        if kind == "snippets_rewrites":
            return "\n".join(_rewritten(lines)) + "\n"
        if kind == "snippets_types":
            Path("k.cpp").write_text(types_source(lines), encoding="utf-8")
            return "\n".join((*lines, *scheduled("k.cpp", {}, library))) + "\n"
        parts = []
        name = "k.cpp" if kind in WITH_TYPES else "k.c"
        for line in lines:
            Path(name).write_text(source_of(kind, line), encoding="utf-8")
            given = {"n": 5} if kind in ("snippets_bodies", "snippets_directives") or "int n)" in line else {}
            said = [
                *scheduled(name, given, library),
                *(scheduled(name, given, library, replace(TOOL, balance=True)) if kind == "snippets_reals" else ()),
                *(_derived(name, given) if kind in ("snippets_bodies", "snippets_kernels", "snippets_rare") else ()),
            ]
            parts += [line, *(f"    {each}" for each in said)]
    return "\n".join(parts) + "\n"


def types_source(lines: list[str]) -> str:
    """Return the file of the lines with types of C++."""
    return _TYPES.format("\n".join(_TYPED.format(number, line) for number, line in enumerate(lines)))


def _rewritten(lines: list[str]) -> Iterator[str]:
    """Yield each nest with its rewritings, and the C that it becomes."""
    for line in lines:
        yield line
        words, _, body = line.partition(" # ")
        Path("k.c").write_text(_NEST.format(body), encoding="utf-8")
        try:
            found = transform("k.c", rewrite=words.split(", "))
        except PpnsimError as refused:
            yield f"    refused: {refused}"
            continue
        inside = found.c.partition("#pragma scop")[2] or found.c
        yield from (f"    {each}" for each in (*inside.splitlines(), *_network(found.program)) if each)


def source_of(kind: str, line: str) -> str:
    """Return the file that a line stands for."""
    if kind not in ("snippets_bodies", "snippets_directives"):
        plain = line.replace("| ", "\n#pragma HLS ").replace(" ~ ", "\n") + "\n"
        # Few need those two headers, which take six times as long to read as all others.
        head = (
            _OBJECTS
            if "std::" in line or ": {" in line
            else _OBJECTS.replace("#include <array>\n#include <algorithm>\n", "\n\n")
        )
        return head + plain if kind in WITH_TYPES else plain
    return _LOOP.format(f"    {line}\n{_WORK}" if kind == "snippets_directives" else f"    {line}")


def scheduled(name: str, given: Mapping[str, int], library: Library, rules: Rules = TOOL) -> list[str]:
    """Return how the kernels of a file are scheduled, or why not."""
    return scheduled_in(name, given, [(library, rules)])[0]


def scheduled_in(name: str, given: Mapping[str, int], places: Sequence[tuple[Library, Rules]]) -> list[list[str]]:
    """Return for each place what `scheduled` returns there; the file is read once."""
    try:
        programs = load_programs(name, policy=HARDWARE, settings=given)
        read = [(program, read_directives(sources_of(program), program)) for program in programs]
    except PpnsimError as refused:
        return [[f"no schedule: {refused}"] for _ in places]
    return [[*_told(read, library, rules)] for library, rules in places]


def _told(read: list[tuple[LoopProgram, Directives]], library: Library, rules: Rules) -> Iterator[str]:
    try:
        for program, directives in read:
            machine = schedule_kernel(program, library, directives, rules)
            yield f"{program.name}: {machine.cycles} cycles"
            for nest in machine.nests:
                body = nest.body
                figures = f"{body.schedule.ii}, depth {body.depth}, {nest.iterations} times, {nest.cycles}"
                yield f"  {nest.name}: II {figures}"
                yield f"    {_operators(body.graph, body.schedule)}"
            for region in machine.regions:
                yield f"  {region.visits} times {region.cycles}: {_operators(region.graph, region.schedule)}"
            for task in machine.tasks:
                yield f"  task {task.name}: {task.start} to {task.end}, waited {task.waited}, {task.runs} times"
            yield from (f"  said: {each}" for each in machine.said)
            if machine.region is not None:
                yield from (f"  {_shortened(each)}" for each in _lines(machine.region.network))
            yield from (f"  ignored: {each}" for each in directives.ignored)
    except PpnsimError as refused:
        yield f"no schedule: {refused}"


def _derived(name: str, given: Mapping[str, int]) -> Iterator[str]:
    try:
        for program in load_programs(name, settings=given):
            yield from _network(program)
    except PpnsimError as refused:
        yield f"no network: {refused}"


def _network(program: LoopProgram) -> Iterator[str]:
    network = derive(program)
    yield f"{program.name}: {', '.join(f'{each.name} {each.firings}' for each in network.processes)}"
    yield from (f"  {_shortened(json.dumps(each))}" for each in dump_network(network)["channels"])


def _lines(network: Network) -> Iterator[str]:
    """Yield the processes and the channels of a network."""
    written = dump_network(network)
    yield from (json.dumps(each) for each in (*written["processes"], *written["channels"]))


def _operators(graph: Graph, schedule: Schedule) -> str:
    """Return what a body computes, each with the state and the time in which it starts and ends."""
    return _shortened(
        ", ".join(
            f"{node.name.partition('(')[0]} {begin[0]}+{begin[1]:.2f} to {end[0]}+{end[1]:.2f}"
            for node, begin, end in zip(graph.nodes, schedule.issue, schedule.result, strict=True)
            if node.kind not in ("dead", "input")
        )
    )


def _shortened(line: str) -> str:
    return line if len(line) < _LONG else f"{line[:_LONG]} ... {sha256(line.encode()).hexdigest()[:16]}"
