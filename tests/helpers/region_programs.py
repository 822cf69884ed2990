"""Random dataflow C++: chains, forks and joins of tasks, rates by nested loops and conditions, a region in the region.

FIFOs carry numbers, structs and vectors, alone or in an array of streams; tokens may be dropped. Arrays and scalars go
between tasks, to one reader or to several. Every task ends with a result in an array of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from tests.helpers.by_seed import by_seed

_NATIVE = """#ifdef NATIVE
#include <cstdio>
#include <deque>
#include "hls_vector.h"
static const char *current = "";
struct packet { int head; short rest; };
namespace hls {
template <typename T, int D = 0> class stream {
    std::deque<T> held;
    const char *name;
  public:
    stream(const char *called) : name(called) {}
    stream(const stream &) = delete;
    T read() {
        if (held.empty()) { std::printf("empty %s\\n", name); throw 1; }
        std::printf("take %s %s\\n", name, current);
        T token = held.front(); held.pop_front(); return token; }
    void write(const T &token) { std::printf("put %s %s\\n", name, current); held.push_back(token); }
};
}
#define TASK(name) current = name;
#define NAMED(first, second) = {first, second}
#else
#include "hls_stream.h"
#include "hls_vector.h"
struct packet { int head; short rest; };
#define TASK(name)
#define NAMED(first, second)
#endif
typedef hls::vector<int, 4> lanes;
"""
Fifo = tuple[str, int, int, int, int]
"""Name, writer, reader, tokens of a run, depth."""


@dataclass(frozen=True)
class RegionProgram:
    """A kernel ``k``: FIFOs, arrays and scalars with writer and reader.

    An array with several readers is there several times. Names of FIFOs of structs begin with p, of vectors with l, and
    end with a subscript if the FIFO is in an array of streams; names of scalars begin with x. ``loop``: the region is
    in a loop of ``runs``. ``inner``: this task and the one after it are in a region of their own.
    """

    text: str
    tasks: int
    fifos: tuple[Fifo, ...]
    arrays: tuple[tuple[str, int, int], ...]
    runs: int
    loop: bool
    inner: int | None

    def bench(self, prefix: str = "") -> str:
        """Return a testbench that prints the results of all tasks."""
        names = [f"out{number}" for number in range(self.tasks)]
        declared = f"void k({', '.join(f'int {name}[1]' for name in names)});"
        printed = "".join(f' std::printf("{prefix}{name} %d\\n", {name}[0]);' for name in names)
        zero = ", ".join(f"{name}[1] = {{}}" for name in names)
        return f"#include <cstdio>\n{declared}\nint main() {{ int {zero}; k({', '.join(names)});{printed} }}\n"


@by_seed
def region_programs(draw: st.DrawFn, loops: bool = True) -> RegionProgram:
    """Draw a region of two to four tasks; each FIFO and array goes from an earlier to a later one.

    Without ``loops``, the region is not in a loop.
    """
    tasks = draw(st.integers(2, 4))
    pairs = [(one, other) for one in range(tasks) for other in range(one + 1, tasks)]
    fifos = tuple(_fifos(draw, pairs))
    arrays = tuple(_handed(draw, pairs))
    loop = loops and draw(st.booleans())
    runs = draw(st.integers(1, 3)) if loop else 1
    free = [n for n in range(tasks - 1) if not any({n, n + 1} & {one, other} for _, one, other in arrays)]
    inner = draw(st.sampled_from([None, *free]))
    own = [each for each in fifos if inner is not None and each[1:3] == (inner, inner + 1) and "[" not in each[0]]
    bodies = [_task(draw, number, fifos, arrays) for number in range(tasks)]
    calls = [f"    t{number}({', '.join(_arguments(number, fifos, arrays))});\n" for number in range(tasks)]
    if inner is not None:
        types = dict(pair for number in (inner, inner + 1) for pair in _parameters(number, fifos, arrays))
        given = {key: type_ for key, type_ in types.items() if key not in [name for name, *_ in own]}
        local = "".join(map(_declared, own))
        inside = "".join(f"    t{n}({', '.join(_parameters_of(n, fifos, arrays))});\n" for n in (inner, inner + 1))
        head = f"static void inner({', '.join(given.values())}) {{\n#pragma HLS dataflow\n"
        bodies.append(f"{head}{local}{inside}}}\n")
        outside = dict(zip(_parameters_of(inner, fifos, arrays), _arguments(inner, fifos, arrays), strict=True))
        outside |= dict(
            zip(_parameters_of(inner + 1, fifos, arrays), _arguments(inner + 1, fifos, arrays), strict=True)
        )
        calls[inner : inner + 2] = [f"    inner({', '.join(outside[name] for name in given)});\n"]
    single = "".join(_declared(each) for each in fifos if each not in own and "[" not in each[0])
    several = {name[:-3]: (name, depth) for name, *_, depth in fifos if "[" in name}
    text = single + "".join(
        f'    hls::stream<{_type(name)}, {depth}> {array}[2] NAMED("{array}[0]", "{array}[1]");\n'
        for array, (name, depth) in several.items()
    ) + "".join(f"    int {name}{_size(name)};\n" for name in dict.fromkeys(name for name, _, _ in arrays))  # fmt: skip
    body = f"#pragma HLS dataflow\n{text}{''.join(calls)}"
    if loop:
        body = f"for (int run = 0; run < {runs}; run++) {{\n{body}}}\n"
    outs = ", ".join(f"int out{number}[1]" for number in range(tasks))
    source = f"{_NATIVE}{''.join(bodies)}void k({outs}) {{\n{body}}}\n"
    return RegionProgram(source, tasks, fifos, arrays, runs, loop, inner)


def _fifos(draw: st.DrawFn, pairs: list[tuple[int, int]]) -> list[Fifo]:
    """Draw FIFOs, some of them in an array of two."""
    found: list[Fifo] = []
    for number, edge in enumerate(draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=4))):
        name, depth = f"{draw(st.sampled_from('sspl'))}{number}", draw(st.integers(1, 14))
        ends = [(name, edge)]
        if draw(st.sampled_from([False, False, True])):
            ends = [(f"{name}[0]", edge), (f"{name}[1]", draw(st.sampled_from(pairs)))]
        found += [(each, *pair, draw(st.integers(1, 12)), depth) for each, pair in ends]
    return found


def _handed(draw: st.DrawFn, pairs: list[tuple[int, int]]) -> list[tuple[str, int, int]]:
    """Draw arrays and scalars, some of them with more readers."""
    found = []
    for number, (one, other) in enumerate(draw(st.lists(st.sampled_from(pairs), max_size=2))):
        name = f"{draw(st.sampled_from('ccx'))}{number}"
        readers = [each for first, each in pairs if first == one and each != other]
        more = draw(st.lists(st.sampled_from(readers), max_size=2)) if readers else []
        found += [(name, one, each) for each in dict.fromkeys((other, *more))]
    return found


def _type(fifo: str) -> str:
    return {"p": "packet", "l": "lanes"}.get(fifo[0], "int")


def _size(array: str) -> str:
    return "" if array.startswith("x") else "[8]"


def _declared(fifo: Fifo) -> str:
    name, *_, depth = fifo
    return f'    hls::stream<{_type(name)}, {depth}> {name}("{name}");\n'


def _called(fifo: str) -> str:
    """Return the name of a FIFO as a parameter."""
    return fifo.replace("[", "_").rstrip("]")


def _parameters(
    number: int, fifos: tuple[Fifo, ...], arrays: tuple[tuple[str, int, int], ...]
) -> list[tuple[str, str]]:  # fmt: skip
    """Return the parameters of a task with their declarations."""
    found = [
        (_called(name), f"hls::stream<{_type(name)}, {depth}> &{_called(name)}")
        for name, one, other, _, depth in fifos if number in (one, other)
    ]  # fmt: skip
    handed = {name: one == number for name, one, other in arrays if number in (one, other)}
    found += [
        (name, f"int {'&' if write and not _size(name) else ''}{name}{_size(name)}") for name, write in handed.items()
    ]
    return [*found, (f"out{number}", f"int out{number}[1]")]


def _parameters_of(
    number: int, fifos: tuple[Fifo, ...], arrays: tuple[tuple[str, int, int], ...]
) -> list[str]:  # fmt: skip
    return [name for name, _ in _parameters(number, fifos, arrays)]


def _arguments(number: int, fifos: tuple[Fifo, ...], arrays: tuple[tuple[str, int, int], ...]) -> list[str]:
    found = [name for name, *ends, _, _ in fifos if number in ends]
    handed = dict.fromkeys(name for name, *ends in arrays if number in ends)
    return [*found, *handed, f"out{number}"]


def _task(
    draw: st.DrawFn, number: int, fifos: tuple[Fifo, ...], arrays: tuple[tuple[str, int, int], ...]
) -> str:  # fmt: skip
    """Draw a function: loops over rows and columns, in which a FIFO is accessed in the first or the last iterations."""
    handed = {name: one == number for name, one, other in arrays if number in (one, other)}
    mine = [each for each in fifos if number in each[1:3]]
    phases: list[list[Fifo]] = [[], []]
    for each in mine:
        phases[draw(st.integers(0, 1))].append(each)
    text = f'    TASK("t{number}")\n    int v = {number};\n'
    for name in (name for name, writes in handed.items() if not writes):
        text += f"    for (int a = 0; a < 8; a++) v += {name}[a];\n" if _size(name) else f"    v += {name};\n"
    for phase, some in enumerate(phases):
        if some:
            text += _loop(draw, number, phase, some)
    for name in (name for name, writes in handed.items() if writes):
        text += f"    for (int a = 0; a < 8; a++) {name}[a] = a;\n" if _size(name) else f"    {name} = v;\n"
    declared = ", ".join(text for _, text in _parameters(number, fifos, arrays))
    return f"static void t{number}({declared}) {{\n{text}    out{number}[0] = v;\n}}\n"


def _loop(draw: st.DrawFn, number: int, phase: int, some: list[Fifo]) -> str:
    columns = draw(st.integers(1, 4))
    rows = -(-max(tokens for *_, tokens, _ in some) // columns) + draw(st.integers(0, 2))
    ii = draw(st.integers(1, 3))
    text = ""
    for name, one, _, tokens, _ in some:
        first, writes = draw(st.booleans()), one == number
        index = f"i{phase} * {columns} + j{phase}"
        test = f"{index} < {tokens}" if first else f"{index} >= {rows * columns - tokens}"
        text += f"        if ({test}) {{ {_access(draw, name, writes)} }}\n"
    head = f"    for (int i{phase} = 0; i{phase} < {rows}; i{phase}++)"
    head += f" for (int j{phase} = 0; j{phase} < {columns}; j{phase}++) {{\n"
    return f"{head}#pragma HLS pipeline II={ii}\n{text}    }}\n"


def _access(draw: st.DrawFn, name: str, writes: bool) -> str:
    of, called = _type(name), _called(name)
    if writes:
        made = {
            "packet": "packet t; t.head = v; t.rest = 1;",
            "lanes": "lanes t = v; t[1] = 3;",
            "int": "int t = v + 1;",
        }
        return f"{made[of]} {called}.write(t);"
    if draw(st.sampled_from([False, False, False, True])):
        return f"{called}.read();"
    taken = {"packet": "t.head + t.rest", "lanes": "t[0] + t[1]", "int": "t"}
    return f"{of} t = {called}.read(); v += {taken[of]};"
