"""Short sources, one a line of ``snippets.txt``: how each is scheduled and derived, or why not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import chdir
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.derive.derive import derive
from ppnsim.errors import PpnsimError
from ppnsim.formats.network_json import dump_network
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import Library, load_library
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.loops.program import LoopProgram
from ppnsim.model.network import Network

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
_WORK = "    a[i] = a[i > 0 ? i - 1 : 0] * 3 + b[i][i % 4];"
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
    library, lines = load_library("xc7z020", 10), snippets()[kind]
    with TemporaryDirectory() as folder, chdir(folder):
        if kind == "snippets_types":
            functions = (_TYPED.format(number, line) for number, line in enumerate(lines))
            Path("k.cpp").write_text(_TYPES.format("\n".join(functions)), encoding="utf-8")
            return "\n".join((*lines, *_scheduled("k.cpp", {}, library))) + "\n"
        parts = []
        for line in lines:
            Path("k.c").write_text(_source(kind, line), encoding="utf-8")
            given = {"n": 5} if kind in ("snippets_bodies", "snippets_directives") or "int n)" in line else {}
            said = [
                *_scheduled("k.c", given, library),
                *(() if kind in ("snippets_directives", "snippets_regions") else _derived("k.c", given)),
            ]
            parts += [line, *(f"    {each}" for each in said)]
    return "\n".join(parts) + "\n"


def _source(kind: str, line: str) -> str:
    if kind in ("snippets_kernels", "snippets_regions"):
        return line.replace("| ", "\n#pragma HLS ").replace(" ~ ", "\n") + "\n"
    return _LOOP.format(f"    {line}\n{_WORK}" if kind == "snippets_directives" else f"    {line}")


def _scheduled(name: str, given: Mapping[str, int], library: Library) -> Iterator[str]:
    try:
        for program in load_programs(name, policy=HARDWARE, settings=given):
            directives = read_directives(sources_of(program), program)
            machine = schedule_kernel(program, library, directives)
            yield f"{program.name}: {machine.cycles} cycles"
            for nest in machine.nests:
                body = nest.body
                figures = f"{body.schedule.ii}, depth {body.depth}, {nest.iterations} times, {nest.cycles}"
                yield f"  {nest.name}: II {figures}"
            yield from (f"  said: {each}" for each in machine.said)
            if machine.region is not None:
                yield from (f"  {each}" for each in _channels(machine.region.network))
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
    yield from (f"  {each}" for each in _channels(network))


def _channels(network: Network) -> Iterator[str]:
    for channel in dump_network(network)["channels"]:
        line = json.dumps(channel)
        yield line if len(line) < _LONG else f"{line[:_LONG]} ... {sha256(line.encode()).hexdigest()[:16]}"
