"""Random dataflow C++: chains, forks and joins of tasks, rates by nested loops and conditions, structs in FIFOs.

Arrays and scalars go between tasks, to one reader or to two.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

_NATIVE = """#ifdef NATIVE
#include <cstdio>
#include <deque>
static const char *current = "";
struct packet { int head; short rest; };
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
struct packet { int head; short rest; };
#define TASK(name)
#endif
"""


@dataclass(frozen=True)
class RegionProgram:
    """A kernel ``k``: FIFOs with writer, reader, tokens of a run and depth; arrays and scalars with writer and reader.

    An array with two readers is there twice. Names of FIFOs of structs begin with p, names of scalars with x.
    """

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
    fifos = tuple(
        (f"{draw(st.sampled_from('ssp'))}{n}", *edge, draw(st.integers(1, 12)), draw(st.integers(1, 14)))
        for n, edge in enumerate(edges)
    )
    arrays = tuple(_handed(draw, pairs))
    runs = draw(st.integers(1, 3))
    bodies = [_task(draw, number, fifos, arrays) for number in range(tasks)]
    declared = "".join(
        f'    hls::stream<{_type(name)}, {depth}> {name}("{name}");\n' for name, _, _, _, depth in fifos
    ) + "".join(f"    int {name}{_size(name)};\n" for name in dict.fromkeys(name for name, _, _ in arrays))
    calls = "".join(f"    t{number}({', '.join(_arguments(number, fifos, arrays))});\n" for number in range(tasks))
    loop = f"for (int run = 0; run < {runs}; run++) {{\n#pragma HLS dataflow\n{declared}{calls}}}"
    return RegionProgram(
        _NATIVE + "".join(bodies) + f"void k(int out[64]) {{\n{loop}\n}}\n", tasks, fifos, arrays, runs
    )


def _handed(draw: st.DrawFn, pairs: list[tuple[int, int]]) -> list[tuple[str, int, int]]:
    """Draw arrays and scalars, some of them with a second reader."""
    found = []
    for number, (one, other) in enumerate(draw(st.lists(st.sampled_from(pairs), max_size=2))):
        name = f"{draw(st.sampled_from('ccx'))}{number}"
        readers = [each for first, each in pairs if first == one and each != other]
        more = draw(st.lists(st.sampled_from(readers), max_size=1)) if readers else []
        found += [(name, one, each) for each in (other, *more)]
    return found


def _type(fifo: str) -> str:
    return "packet" if fifo.startswith("p") else "int"


def _size(array: str) -> str:
    return "" if array.startswith("x") else "[8]"


def _arguments(
    number: int, fifos: tuple[tuple[str, int, int, int, int], ...], arrays: tuple[tuple[str, int, int], ...]
) -> list[str]:
    found = [name for name, *ends, _, _ in fifos if number in ends]
    handed = dict.fromkeys(name for name, *ends in arrays if number in ends)
    return [*found, *handed, *(["out"] if number == 0 else [])]


def _task(
    draw: st.DrawFn, number: int, fifos: tuple[tuple[str, int, int, int, int], ...],
    arrays: tuple[tuple[str, int, int], ...],
) -> str:  # fmt: skip
    """Draw a function: loops over rows and columns, in which a FIFO is accessed in the first or the last iterations."""
    types = [
        f"hls::stream<{_type(name)}, {depth}> &{name}" for name, one, other, _, depth in fifos if number in (one, other)
    ]
    handed = {name: one == number for name, one, other in arrays if number in (one, other)}
    types += [f"int {'&' if writes and not _size(name) else ''}{name}{_size(name)}" for name, writes in handed.items()]
    types += ["int out[64]"] if number == 0 else []
    mine = [each for each in fifos if number in each[1:3]]
    phases: list[list[tuple[str, int, int, int, int]]] = [[], []]
    for each in mine:
        phases[draw(st.integers(0, 1))].append(each)
    text = f'    TASK("t{number}")\n    int v = 0;\n'
    for name in (name for name, writes in handed.items() if not writes):
        text += f"    for (int a = 0; a < 8; a++) v += {name}[a];\n" if _size(name) else f"    v += {name};\n"
    for phase, some in enumerate(phases):
        if some:
            text += _loop(draw, number, phase, some)
    for name in (name for name, writes in handed.items() if writes):
        text += f"    for (int a = 0; a < 8; a++) {name}[a] = a;\n" if _size(name) else f"    {name} = v;\n"
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
        if _type(name) == "int":
            access = f"{name}.write(v);" if one == number else f"v = {name}.read();"
        else:
            access = "packet t; " + (
                f"t.head = v; t.rest = 1; {name}.write(t);"
                if one == number
                else f"t = {name}.read(); v = t.head + t.rest;"
            )
        text += f"        if ({test}) {{ {access} }}\n"
    head = f"    for (int i{phase} = 0; i{phase} < {rows}; i{phase}++)"
    head += f" for (int j{phase} = 0; j{phase} < {columns}; j{phase}++) {{\n"
    return f"{head}#pragma HLS pipeline II={ii}\n{text}    }}\n"
