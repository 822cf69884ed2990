"""Spellings of temporary objects agree: in cycles, in intervals, and in the values that g++ makes of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.hls.native.build import HEADERS
from ppnsim.library.schedule import schedule
from ppnsim.loops.program import LoopProgram
from tests.helpers.hls_sources import written
from tests.oracles.tokens import TokenEvaluator

SOURCE = (Path(__file__).parents[1] / "sources" / "temporaries.txt").read_text(encoding="utf-8")
HEAD, *GROUPS = re.split(r"^=== (.*)$", SOURCE, flags=re.MULTILINE)
PARTS = (re.split(r"^--- (.*)$", each, flags=re.MULTILINE)[1:] for each in GROUPS[1::2])
SPELLINGS = {
    name: dict(zip(parts[::2], parts[1::2], strict=True)) for name, parts in zip(GROUPS[::2], PARTS, strict=True)
}
TOKENS, ROUNDS = 256, 64
DRIVER = """
#include <cstdio>
#include <cstring>
static int drawn(long at) { return (int)(((unsigned)(at * 2654435761L + 12345) & 0xffff) % 23) - 9; }
template <class T> static void fill(hls::stream<T> &s, long from) {
  for (int t = 0; t < 256; t++) {
    static T v; const int n = sizeof(T) / 4; int w[n];
    for (int k = 0; k < n; k++) w[k] = drawn(from + t * n + k);
    memcpy((void *)&v, w, sizeof(T)); s.write(v);
  }
}
template <class T> static int rest(hls::stream<T> &s) { int n = s.size(); while (!s.empty()) s.read(); return n; }
template <class T> static void show(hls::stream<T> &s) {
  while (!s.empty()) {
    T v = s.read(); int w[sizeof(T) / 4]; memcpy(w, (void *)&v, sizeof(T));
    for (int x : w) printf("%d ", x);
  }
}
static int c[64];
template <class A, class O> static void drive(void (*f)(hls::stream<A> &, const int *, hls::stream<O> &)) {
  static hls::stream<A> a; static hls::stream<O> o;
  fill(a, 0); f(a, c, o); show(o); printf("%d 256\\n", rest(a));
}
template <class A, class B, class O>
static void drive(void (*f)(hls::stream<A> &, hls::stream<B> &, const int *, hls::stream<O> &)) {
  static hls::stream<A> a; static hls::stream<B> b; static hls::stream<O> o;
  fill(a, 0); fill(b, 100000); f(a, b, c, o); show(o); printf("%d %d\\n", rest(a), rest(b));
}
"""


def _numbered() -> Iterator[tuple[str, str, str]]:
    """Yield group, spelling and code of each function, whose name has its number."""
    every = ((group, name, code) for group, codes in SPELLINGS.items() for name, code in codes.items())
    for number, (group, name, code) in enumerate(every):
        yield group, name, re.sub(r"\bf\(hls|\(f\)", lambda found, n=number: found[0].replace("f", f"f{n}"), code)


def _drawn(at: int) -> int:
    return ((at * 2654435761 + 12345) & 0xFFFF) % 23 - 9


def _lowered(program: LoopProgram) -> list[int]:
    """Return what a lowered program writes, and how many tokens it leaves in each stream that it may read."""
    queues: dict[str, list[Any]] = {"o": []}
    for name, start in {"a": 0, "b": 100000}.items():
        for array in (each for each in program.arrays if each.name == name):
            size, paths = max(1, len(array.fields)), [each[0] for each in array.fields]
            rows = [[_drawn(start + t * size + k) for k in range(size)] for t in range(TOKENS)]
            queues[name] = [dict(zip(paths, row, strict=True)) if paths else row[0] for row in rows]
    memory: dict[Any, Any] = {("c", (i,)): _drawn(i + 7) for i in range(ROUNDS)}
    TokenEvaluator(program, memory, queues).run(program.body, {})
    paths = [each[0] for array in program.arrays if array.name == "o" for each in array.fields]
    shown = [each.get(path, 0) for each in queues["o"] for path in paths] if paths else queues["o"]
    left = (len(queues.get(name, range(TOKENS))) for name in "ab")
    return [*shown, *left]


@cache
def _programs() -> dict[tuple[str, str], tuple[LoopProgram, tuple[Any, ...]]]:
    """Return program and schedule of each spelling; all of them are read in one file."""
    with TemporaryDirectory() as folder:
        path = written(Path(folder), HEAD + "".join(code for _, _, code in _numbered()))
        programs = {each.name: each for each in load_programs(str(path), policy=HARDWARE)}
        kernels = {each.program.name: each.machine for each in schedule(path).kernels}
    found = {}
    for number, (group, name, _) in enumerate(_numbered()):
        machine = kernels[f"f{number}"]
        nests = tuple((each.body.schedule.ii, each.body.depth, each.iterations) for each in machine.nests)
        found[group, name] = programs[f"f{number}"], (machine.cycles, nests)
    return found


@cache
def _compiled() -> dict[tuple[str, str], list[int]]:
    """Return what each spelling writes in the program that g++ makes, and how many tokens it leaves."""
    with TemporaryDirectory() as folder:
        main = f"int main() {{ for (int i = 0; i < {ROUNDS}; i++) c[i] = drawn(i + 7);"
        main += " ".join(f"drive(f{number});" for number, _ in enumerate(_numbered())) + " }"
        path = written(Path(folder), HEAD + DRIVER + "".join(code for _, _, code in _numbered()) + main)
        made = str(Path(folder) / "made")
        subprocess.run(["g++", "-w", "-O0", "-std=c++17", f"-I{HEADERS}", "-o", made, str(path)], check=True)
        lines = subprocess.run([made], capture_output=True, text=True, check=True).stdout.splitlines()
    keys = [(group, name) for group, name, _ in _numbered()]
    return {key: list(map(int, line.split())) for key, line in zip(keys, lines, strict=True)}


@pytest.mark.parametrize("group", SPELLINGS)
def test_spellings_of_a_temporary_take_the_same_cycles(group: str) -> None:
    found = {name: _programs()[group, name][1] for name in SPELLINGS[group]}
    first = next(iter(found.values()))
    assert {name: each for name, each in found.items() if each != first} == {}


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
@pytest.mark.parametrize("group", SPELLINGS)
def test_spellings_of_a_temporary_have_the_values_of_the_compiler(group: str) -> None:
    for name in SPELLINGS[group]:
        assert _lowered(_programs()[group, name][0]) == _compiled()[group, name], name
