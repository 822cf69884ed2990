"""Depths written back into a source: where, once, and with all other bytes as they were."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.library.sweep import sweep
from ppnsim.source_networks.depths import pragma_result, stream_pragmas, with_pragmas
from ppnsim.source_networks.load import load_source
from ppnsim.source_networks.memories import as_pasted
from tests.helpers.commands import ppnsim
from tests.helpers.hls_sources import written as saved

BEFORE = """#include "hls_stream.h"
static void put(const int a[8], hls::stream<int> &s) { for (int i = 0; i < 8; i++) { s << a[i]; } }
static void take(hls::stream<int> &s, int b[8]) { for (int i = 0; i < 8; i++) { b[i] = s.read(); } }
"""
TWO = (
    BEFORE
    + """void top(const int a[8], int b[8], int c[8]) {
#pragma HLS dataflow
@put(a, s); put(a, t);
take(s, b); take(t, c); }
"""
)


def rewritten(folder: Path, text: str, **depths: int) -> str:
    """Return a source with the depths of its streams written into it, twice, which must change nothing."""
    path = folder / "top.cpp"
    path.write_bytes(text.encode())
    found = []
    for _ in range(2):
        source = load_source(str(path), function="top")
        path.write_bytes(with_pragmas(path.read_bytes(), str(path), stream_pragmas(source, depths)))
        found.append(path.read_bytes().decode())
    written = load_source(str(path), function="top").network
    assert {name: written.channel(name).depth for name in depths} == depths
    assert found[0] == found[1]
    return found[0]


def without_pragmas(text: str) -> str:
    """Return a source without the lines that give depths."""
    return re.sub(r"(?m)^[ \t]*#pragma HLS stream.*\r?\n", "", text)


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("    hls::stream<int> s;\n    hls::stream<int> t;\n",
         "    hls::stream<int> s;\n    #pragma HLS stream variable=s depth=3\n"
         "    hls::stream<int> t;\n    #pragma HLS stream variable=t depth=5\n"),
        ("hls::stream<int> s(\"s;\"), t; // both\n",
         "hls::stream<int> s(\"s;\"), t; // both\n#pragma HLS stream variable=s depth=3\n"
         "#pragma HLS stream variable=t depth=5\n"),
        ("\thls::stream<int, 7> s /* ; */ ;\r\n\thls::stream<int> t;\r\n",
         "\thls::stream<int, 7> s /* ; */ ;\r\n\t#pragma HLS stream variable=s depth=3\r\n"
         "\thls::stream<int> t;\r\n\t#pragma HLS stream variable=t depth=5\r\n"),
        ("hls::stream<int> s, t;\n#pragma  HLS STREAM depth = 4*2 variable = s type=fifo // why\n",
         "hls::stream<int> s, t;\n#pragma HLS stream variable=t depth=5\n"
         "#pragma  HLS STREAM depth = 3 variable = s type=fifo // why\n"),
        ("hls::stream<int> s, t;\n#pragma HLS stream variable=s\n#pragma HLS stream variable=t \\\n depth=9\n",
         "hls::stream<int> s, t;\n#pragma HLS stream variable=s depth=3\n#pragma HLS stream variable=t \\\n depth=5\n"),
    ],
)  # fmt: skip
def test_pragmas_follow_the_declaration_or_replace_the_depth_that_is_there(
    declared: str, expected: str, tmp_path: Path
) -> None:
    found = rewritten(tmp_path, TWO.replace("@", declared), s=3, t=5)
    assert found == TWO.replace("@", expected)


def test_code_behind_a_declaration_comes_behind_the_pragma(tmp_path: Path) -> None:
    found = rewritten(tmp_path, TWO.replace("@", "hls::stream<int> s; hls::stream<int> t; "), s=3, t=5)
    assert (
        found.index("variable=s depth=3\n") < found.index("hls::stream<int> t;") < found.index("variable=t depth=5\n")
    )


@settings(deadline=None, max_examples=15)
@given(depths=st.tuples(*[st.integers(1, 99)] * 2), newline=st.sampled_from(["\n", "\r\n"]), given_=st.booleans())
def test_the_written_depths_are_those_of_the_network(
    tmp_path_factory: pytest.TempPathFactory, depths: tuple[int, int], newline: str, given_: bool
) -> None:
    declared = "hls::stream<int> s, t;\n" + "#pragma HLS stream variable=t depth=17\n" * given_
    text = TWO.replace("@", declared).replace("\n", newline)
    found = rewritten(tmp_path_factory.mktemp("source"), text, s=depths[0], t=depths[1])
    assert without_pragmas(found) == without_pragmas(text)


def test_an_array_of_streams_and_a_function_called_twice_have_one_pragma(tmp_path: Path) -> None:
    text = (
        BEFORE
        + """
static void pair(const int a[8], int b[8]) {
#pragma HLS dataflow
    hls::stream<int> inner;
    put(a, inner);
    take(inner, b);
}
void top(const int a[8], int b[8], int c[8], int d[8], int e[8]) {
#pragma HLS dataflow
    hls::stream<int> s[2];
    put(a, s[0]); put(a, s[1]);
    take(s[0], b); take(s[1], c);
    pair(a, d);
    pair(a, e);
}
"""
    )
    path = tmp_path / "top.cpp"
    path.write_text(text, encoding="utf-8")
    source = load_source(str(path), function="top")
    assert {stream.variable: len(stream.channels) for stream in source.streams} == {"s": 2, "inner": 2}
    depths = {name: number for stream in source.streams for number, name in enumerate(stream.channels, 4)}
    pragmas = stream_pragmas(source, depths)
    assert sorted(each.text for each in pragmas) == [
        "#pragma HLS stream variable=inner depth=5", "#pragma HLS stream variable=s depth=5"
    ]  # fmt: skip
    path.write_bytes(with_pragmas(path.read_bytes(), str(path), pragmas))
    deep = load_source(str(path), function="top").network
    assert {deep.channel(name).depth for name in depths} == {5}
    assert run(deep).finish == run(source.network.with_depths(dict.fromkeys(depths, 5))).finish


def test_a_pragma_in_a_task_is_changed_where_it_stands(tmp_path: Path) -> None:
    task = "take(hls::stream<int> &s, int b[8]) {"
    text = TWO.replace("@", "hls::stream<int> s, t;\n")
    text = text.replace(task, f"{task}\n#pragma HLS stream variable=s depth=4\n")
    path = tmp_path / "top.cpp"
    path.write_text(text, encoding="utf-8")
    source = load_source(str(path), function="top")
    with pytest.raises(InputError, match="gives two streams their depth, 3 and 5"):
        with_pragmas(path.read_bytes(), str(path), stream_pragmas(source, {"s": 3, "t": 5}))
    same = with_pragmas(path.read_bytes(), str(path), stream_pragmas(source, {"s": 6, "t": 6})).decode()
    assert same == text.replace("depth=4", "depth=6")


LINKED = """class Links {
  @
    void put(const int x[8]) { for (int i = 0; i < 8; i++) { a.write(x[i]); } for (int i = 0; i < 8; i++) b.write(1); }
    void take(int y[8]) { for (int i = 0; i < 8; i++) { int n = a.read(); y[i] = n + b.read(); } }
    void both(const int x[8], int y[8]) {
#pragma HLS dataflow
        put(x); take(y); }
};
"""
PUBLIC, PRIVATE = "public: hls::stream<int> a, b;", "hls::stream<int> a, b; public:"
CALLED = "void top(const int x[8], int y[8]) {\n    Links l;\n    l.both(x, y);\n}\n"
REGION = CALLED.replace("{\n", "{\n#pragma HLS dataflow\n").replace("l.both(x, y)", "l.put(x); l.take(y)")
GLOBAL = "static Links l;\n" + CALLED.replace("    Links l;\n", "")
LOOSE = """static hls::stream<int> a, b;
static void put(const int x[8]) { for (int i = 0; i < 8; i++) { a << x[i]; } for (int i = 0; i < 8; i++) b << 1; }
static void take(int y[8]) { for (int i = 0; i < 8; i++) { int n = a.read(); y[i] = n + b.read(); } }
void top(const int x[8], int y[8]) {
#pragma HLS dataflow
    put(x); take(y);
}
"""


@pytest.mark.parametrize(
    ("text", "behind", "names"),
    [
        (LINKED.replace("@", PUBLIC) + CALLED, "    Links l;\n", ("    ", "l.a", "l.b")),
        (LINKED.replace("@", PUBLIC) + REGION, "    Links l;\n", ("    ", "l.a", "l.b")),
        (LINKED.replace("@", PUBLIC) + GLOBAL, "void top(const int x[8], int y[8]) {\n", ("", "l.a", "l.b")),
        (LINKED.replace("@", PRIVATE) + CALLED, "void both(const int x[8], int y[8]) {\n", ("", "a", "b")),
        (LINKED.replace("@", PRIVATE) + GLOBAL, "void both(const int x[8], int y[8]) {\n", ("", "a", "b")),
        (LINKED.replace("@", PRIVATE) + REGION, "void put(const int x[8]) {", ("", "a", "b")),
        (LINKED.replace("class", "template <int N> class").replace("@", PUBLIC) + CALLED.replace("Links", "Links<8>"),
         "    Links<8> l;\n", ("    ", "l.a", "l.b")),
        (LOOSE, "void top(const int x[8], int y[8]) {\n", ("", "a", "b")),
        (LOOSE.replace("{\n#", "{ // of it\r\n#"), "void top(const int x[8], int y[8]) { // of it\r\n", ("", "a", "b")),
    ],
)  # fmt: skip
def test_streams_of_objects_and_of_globals_get_pragmas_where_they_can_be_named(
    text: str, behind: str, names: tuple[str, str, str], tmp_path: Path
) -> None:
    path = tmp_path / "top.cpp"
    path.write_bytes(f'#include "hls_stream.h"\n{text}'.encode())
    source = load_source(str(path), function="top")
    depths = {source.streams[0].channels[0]: 8, source.streams[1].channels[0]: 3}
    for _ in range(2):  # the second time the pragmas are there and change nothing
        path.write_bytes(with_pragmas(path.read_bytes(), str(path), stream_pragmas(source, depths)))
        written = path.read_bytes().decode()
        indent, *variables = names
        newline = "\r\n" if "\r" in text else "\n"
        lines = [
            f"{indent}#pragma HLS stream variable={name} depth={n}{newline}"
            for name, n in zip(variables, (8, 3), strict=True)
        ]
        assert behind + newline * (not behind.endswith("\n")) in written
        place = written.index(behind) + len(behind)
        assert written[place:].replace(f"{newline}{newline}", newline).lstrip("\r\n").startswith("".join(lines))
        source = load_source(str(path), function="top")
        assert {name: source.network.channel(name).depth for name in depths} == depths
        assert [len(stream.pragmas) for stream in source.streams] == [1, 1]
    assert run(source.network).finish == run(source.network.with_depths(dict.fromkeys(depths, 8))).finish


def test_a_private_stream_of_two_objects_has_one_pragma_in_their_method(tmp_path: Path) -> None:
    text = LINKED.replace("@", PRIVATE) + (
        "void top(const int x[8], int y[8], int z[8]) {\n#pragma HLS dataflow\n"
        "Links l, m; l.put(x); m.put(x); l.take(y); m.take(z); }\n"
    )
    path = tmp_path / "top.cpp"
    path.write_text(f'#include "hls_stream.h"\n{text}', encoding="utf-8")
    source = load_source(str(path), function="top")
    assert {stream.variable: stream.channels for stream in source.streams} == {"a": ("l_a", "m_a"), "b": ("l_b", "m_b")}
    (pragma,) = stream_pragmas(source, {"l_a": 8, "m_a": 5})
    assert pragma_result(pragma) | {"file": "", "line": 0} == {
        "variable": "a", "depth": 8, "file": "", "line": 0, "inside": "put",
        "text": "#pragma HLS stream variable=a depth=8",
    }  # fmt: skip
    path.write_bytes(with_pragmas(path.read_bytes(), str(path), [pragma]))
    assert [each.depth for each in load_source(str(path), function="top").network.channels] == [8, 2, 8, 2]


@pytest.mark.parametrize("name", ["a", "this->a", "this.a"])
def test_a_pragma_in_a_constructor_or_method_names_a_member(name: str, tmp_path: Path) -> None:
    made = f"{PUBLIC} Links() {{\n#pragma HLS stream variable={name} depth=9\n}}"
    path = tmp_path / "top.cpp"
    path.write_text('#include "hls_stream.h"\n' + LINKED.replace("@", made) + CALLED, encoding="utf-8")
    source = load_source(str(path), function="top")
    assert [each.depth for each in source.network.channels] == [9, 2]
    copy = with_pragmas(path.read_bytes(), str(path), stream_pragmas(source, {"l_a": 8})).decode()
    assert copy == path.read_text(encoding="utf-8").replace("depth=9", "depth=8")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("@", "MAKE(s)\nhls::stream<int> t;\n"), "top.cpp:7: a macro declares 's'; paste it yourself: #pragma HLS"),
        (("@", "hls::stream<int> s;\n#include \"t.h\"\n"), "t.h:1: 't' is not declared here; paste it yourself"),
        (("@", "hls::stream<int> s;\n"), "a macro writes 'top'; paste it yourself: #pragma HLS"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_left_to_the_reader(change: tuple[str, str], words: str, tmp_path: Path) -> None:
    (tmp_path / "t.h").write_text("hls::stream<int> t;\n", encoding="utf-8")
    text = TWO.replace(*change).replace("static void put", "#define MAKE(x) hls::stream<int> x;\nstatic void put")
    if "writes" in words:
        text = text.replace("int c[8]) {", "int c[8]) BEGIN").replace(
            "void top", "hls::stream<int> t;\n#define BEGIN {\nvoid top"
        )
    path = tmp_path / "top.cpp"
    path.write_text(text, encoding="utf-8")
    source = load_source(str(path), function="top")
    with pytest.raises(InputError) as refused:
        with_pragmas(path.read_bytes(), str(path), stream_pragmas(source, {"s": 3, "t": 5}))
    assert words in str(refused.value)


BURSTS = """#include "hls_stream.h"
#include "ap_int.h"
typedef ap_uint<512> word;
void put(const int in[40], hls::stream<word> &a) {
  for (int r = 0; r < 3; r++) {
    for (int i = 0; i < 8; i++) {
#pragma HLS pipeline
      a.write(in[i]);
    }
    int s = 0;
    for (int i = 0; i < 40; i++) {
#pragma HLS pipeline
      s += in[i] * s;
    }
    a.write(s);
  }
}
void get(hls::stream<word> &a, int out[27]) {
  for (int i = 0; i < 27; i++) {
#pragma HLS pipeline II=5
    out[i] = a.read();
  }
}
void k(const int in[40], int out[27]) {
#pragma HLS dataflow
  hls::stream<word> a;
  put(in, a);
  get(a, out);
}
"""


@pytest.mark.parametrize("device", ["xc7z020", "xcvu9p"])
def test_size_says_the_finish_with_its_pragmas_where_they_make_a_fifo_a_ram(tmp_path: Path, device: str) -> None:
    """R10.2: on newer devices a token passes a RAM in 2 cycles; what is sized has the memories of the source."""
    source, sized = saved(tmp_path, BURSTS), tmp_path / "sized.cpp"
    told = ppnsim("size", str(source), "--function", "k", "--device", device, "-o", str(sized))
    assert told.exit_code == 0
    before = load_source(str(source), function="k", device=device)
    network = load_source(str(sized), function="k", device=device).network
    depths = {each.name: each.depth for each in network.channels}
    promised = run(before.network.with_depths(depths)).finish
    assert as_pasted(before.network, before, depths)[0].channel("a").forward == network.channel("a").forward
    if device == "xc7z020":
        assert run(network).finish == promised
        assert "the finish with these pragmas" not in told.output
    else:
        assert network.channel("a").forward == 2
        assert f"the finish with these pragmas is {run(network).finish}, not {promised}" in told.output
        deep = ppnsim("run", str(source), "--function", "k", "--device", device, "--depth", f"a={depths['a']}")
        assert "a would be other memories (a token passes a RAM in 2 cycles, registers in 1)" in deep.stderr
        again = load_source(str(sized), function="k", device=device)
        assert as_pasted(again.network, again, {"a": 2}) == (before.network, ["a"])


def test_sweep_reads_a_source_once_at_each_size_and_says_what_is_assumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loops = "for (int i = 0; i < 8 * N; i++) { s << a[i]; }\nfor (int i = 0; i < 8 * N; i++) { b[i] = s.read(); } }"
    source = f"""#include "hls_stream.h"
void k(int *a, int *b) {{
#pragma HLS interface m_axi port=a bundle=g
#pragma HLS interface m_axi port=b bundle=h
#pragma HLS dataflow
hls::stream<int> s;
{loops}"""
    sized = saved(tmp_path, "#ifndef N\n#define N 1\n#endif\n" + source)
    capsys.readouterr()
    sweep(str(sized), {"N": [1, 2, 3]}, function="k", jobs=1)
    assert capsys.readouterr().err.count("g reads a: ") == 3


def test_sweep_says_at_which_depths_a_fifo_would_be_a_ram(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, words = str(saved(tmp_path, BURSTS)), "a would be other memories (a token passes a RAM in 2 cycles"
    asked = ["sweep", source, "--function", "k", "--jobs", "1", "--vary", "a.depth=2,32,64"]
    assert f"with a.depth = 32 to 64 in {source}, {words}" in ppnsim(*asked, "--device", "xcvu9p").stderr
    assert "other memories" not in ppnsim(*asked, "--device", "xc7z020").stderr
    sized = saved(tmp_path, "#ifndef N\n#define N 1\n#endif\n" + BURSTS)
    told = ppnsim("sweep", str(sized), *asked[2:-1], "a.depth=40", "--vary", "N=1,2", "--device", "xcvu9p")
    assert told.stderr.count(f"with a.depth = 40 in {sized}, {words}") == 1
    capsys.readouterr()
    sweep(str(sized), {"a.depth": [40], "N": [1, 2]}, function="k", device="xcvu9p", jobs=1)
    assert capsys.readouterr().err.count(f"with a.depth = 40 in {sized}, {words}") == 1
    assert ppnsim("explain", *asked[1:4], "--device", "xcvu9p", "--depth", "a=40").stderr.count(words) == 1
