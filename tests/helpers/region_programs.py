"""Random dataflow C++: chains, forks and joins of tasks, rates by nested loops and conditions, arrays between tasks."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

_NATIVE = """#ifdef NATIVE
#include <cstdio>
#include <deque>
static const char *current = "";
namespace hls {
template <typename T, int D = 0> class stream {
    std::deque<T> held;
    const char *name;
  public:
    stream(const char *called) : name(called) {}
    T read() {
        if (held.empty()) { std::printf("empty %s\\n", name); throw 1; }
        std::printf("take %s %s\\n", name, current);
        T token = held.front(); held.pop_front(); return token; }
    void write(const T &token) { std::printf("put %s %s\\n", name, current); held.push_back(token); }
};
}
#define TASK(name) current = name;
#else
#include "hls_stream.h"
#define TASK(name)
#endif
"""


@dataclass(frozen=True)
class RegionProgram:
    """A kernel ``k``: FIFOs with writer, reader, tokens of a run and depth; arrays with writer and reader."""

    text: str
    tasks: int
    fifos: tuple[tuple[str, int, int, int, int], ...]
    arrays: tuple[tuple[str, int, int], ...]
    runs: int


@st.composite
def region_programs(draw: st.DrawFn) -> RegionProgram:
    """Draw a region of two to four tasks; each FIFO and array goes from an earlier to a later one."""
    tasks = draw(st.integers(2, 4))
    pairs = [(one, other) for one in range(tasks) for other in range(one + 1, tasks)]
    edges = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=5))
    fifos = tuple((f"s{n}", *edge, draw(st.integers(1, 12)), draw(st.integers(1, 14))) for n, edge in enumerate(edges))
    arrays = tuple((f"c{n}", *edge) for n, edge in enumerate(draw(st.lists(st.sampled_from(pairs), max_size=2))))
    runs = draw(st.integers(1, 3))
    bodies = [_task(draw, number, fifos, arrays) for number in range(tasks)]
    declared = "".join(
        f'    hls::stream<int, {depth}> {name}("{name}");\n' for name, _, _, _, depth in fifos
    ) + "".join(f"    int {name}[8];\n" for name, _, _ in arrays)
    calls = "".join(f"    t{number}({', '.join(_arguments(number, fifos, arrays))});\n" for number in range(tasks))
    loop = f"for (int run = 0; run < {runs}; run++) {{\n#pragma HLS dataflow\n{declared}{calls}}}"
    return RegionProgram(
        _NATIVE + "".join(bodies) + f"void k(int out[64]) {{\n{loop}\n}}\n", tasks, fifos, arrays, runs
    )


def _arguments(
    number: int, fifos: tuple[tuple[str, int, int, int, int], ...], arrays: tuple[tuple[str, int, int], ...]
) -> list[str]:
    found = [name for name, *ends, _, _ in fifos if number in ends]
    return [*found, *(name for name, *ends in arrays if number in ends), *(["out"] if number == 0 else [])]


def _task(
    draw: st.DrawFn, number: int, fifos: tuple[tuple[str, int, int, int, int], ...],
    arrays: tuple[tuple[str, int, int], ...],
) -> str:  # fmt: skip
    """Draw a function: loops over rows and columns, in which a FIFO is accessed in the first or the last iterations."""
    types = [f"hls::stream<int, {depth}> &{name}" for name, one, other, _, depth in fifos if number in (one, other)]
    types += [f"int {name}[8]" for name, *ends in arrays if number in ends]
    types += ["int out[64]"] if number == 0 else []
    mine = [each for each in fifos if number in each[1:3]]
    phases: list[list[tuple[str, int, int, int, int]]] = [[], []]
    for each in mine:
        phases[draw(st.integers(0, 1))].append(each)
    text = f'    TASK("t{number}")\n    int v = 0;\n'
    for name, _, other in arrays:
        if other == number:
            text += f"    for (int a = 0; a < 8; a++) v += {name}[a];\n"
    for phase, some in enumerate(phases):
        if some:
            text += _loop(draw, number, phase, some)
    for name, one, _ in arrays:
        if one == number:
            text += f"    for (int a = 0; a < 8; a++) {name}[a] = a;\n"
    return f"static void t{number}({', '.join(types)}) {{\n{text}}}\n"


def _loop(draw: st.DrawFn, number: int, phase: int, some: list[tuple[str, int, int, int, int]]) -> str:
    columns = draw(st.integers(1, 4))
    rows = -(-max(tokens for *_, tokens, _ in some) // columns) + draw(st.integers(0, 2))
    ii = draw(st.integers(1, 3))
    text = ""
    for name, one, _, tokens, _ in some:
        first = draw(st.booleans())
        index = f"i{phase} * {columns} + j{phase}"
        test = f"{index} < {tokens}" if first else f"{index} >= {rows * columns - tokens}"
        text += f"        if ({test}) {f'{name}.write(v)' if one == number else f'v = {name}.read()'};\n"
    head = f"    for (int i{phase} = 0; i{phase} < {rows}; i{phase}++)"
    head += f" for (int j{phase} = 0; j{phase} < {columns}; j{phase}++) {{\n"
    return f"{head}#pragma HLS pipeline II={ii}\n{text}    }}\n"
