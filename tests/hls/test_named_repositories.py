"""Forms of named repositories (papers' artefacts, courses, compilers' outputs) that had a wrong answer, or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim import schedule
from ppnsim.boards.parts import table_of
from ppnsim.errors import InputError
from ppnsim.hls.project.read import read_project
from tests.hls.test_projects import project

PIXEL = "#include <cstring>\nstruct P { unsigned char r, g, b, a; };\n"
BUSES = "#pragma HLS interface m_axi port=in bundle=A\n#pragma HLS interface m_axi port=out bundle=B\n"


def found(folder: Path, text: str, **options: Any) -> dict[str, Any]:
    (folder / "k.cpp").write_text(text, "utf-8")
    answer: dict[str, Any] = schedule(folder / "k.cpp", function="k", **options).to_dict()
    return answer


# -- copies -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", ["512", "i * 512", "i * w", "w"])
def test_structs_copied_over_a_bus_are_words_wherever_the_block_starts(tmp_path: Path, start: str) -> None:
    """R6.22: each member of a struct had a request of its own if the start of the block was data."""
    copies = f"memcpy(o, in + {start}, 256 * sizeof(P)); o[3].r = 1; memcpy(out + {start}, o, 256 * sizeof(P));"
    text = (
        f"{PIXEL}void k(const P *in, P *out, int w) {{\n{BUSES}P o[256]; for (int i = 0; i < 4; i++) {{ {copies} }} }}"
    )
    loops = found(tmp_path, text)["loops"]
    assert [(each["ii"], each["iterations"]) for each in loops] == [(1, 4 * 256)] * 2


def test_members_of_different_elements_are_different_words(tmp_path: Path) -> None:
    """The subscripts are compared, not only that both are data."""
    body = "out[i].r = in[i * w].r + in[i * w + n].g;"
    text = f"{PIXEL}void k(const P *in, P *out, int w, int n) {{\n{BUSES}for (int i = 0; i < 64; i++) {{ {body} }} }}"
    assert found(tmp_path, text)["loops"][0]["ii"] == 2


@pytest.mark.parametrize(("target", "copied"), [("m[i]", 256), ("m", 1024), ("&m[0][0]", 1024), ("q", 64)])
def test_a_copy_of_unknown_size_ends_with_the_row_that_it_names(tmp_path: Path, target: str, copied: int) -> None:
    body = f"for (int i = 0; i < 4; i++) {{ memcpy({target}, in, w * sizeof(int)); out[i] = m[i][3] + q[2]; }}"
    text = f"#include <cstring>\nvoid k(const int *in, int *out, int w) {{\n{BUSES}int m[4][256], q[64]; {body} }}"
    answer = found(tmp_path, text)
    assert answer["loops"][0]["iterations"] == 4 * copied
    assert any(f"copies {copied} elements" in each for each in answer["assumptions"])


# -- directives -------------------------------------------------------------------------------------------------------

CALLED = """
static void rd(const int *p, int *o) {{
#pragma HLS interface m_axi port=p latency=1
  for (int i = 0; i < 64; i++) o[i] = p[i];
}}
void k(const int *a, int *y) {{
{}
#pragma HLS interface m_axi port=y bundle=B
  int o[64];
  rd(a, o);
  for (int i = 0; i < 64; i++) y[i] = o[i];
}}
"""


def test_an_interface_of_a_called_function_yields_to_that_of_the_kernel(tmp_path: Path) -> None:
    """R6.4: only the top function has interfaces; the two were refused as a conflict."""
    own = "#pragma HLS interface m_axi port=a latency=20 bundle=A"
    answer, alone = found(tmp_path, CALLED.format(own)), found(tmp_path, CALLED.format(""))
    assert answer["loops"][0]["depth"] == alone["loops"][0]["depth"] + 19
    said = "interface in a function that the kernel calls, which says it itself of this array"
    assert any(said in each for each in answer["without_effect"]) and not any(
        said in each for each in alone["without_effect"]
    )


@pytest.mark.parametrize(("clauses", "depth"), [("", 2), ("latency=4", 5), ("core=RAM_2P_BRAM latency=4", 5)])
def test_a_resource_with_a_latency_alone_is_a_memory_of_it(tmp_path: Path, clauses: str, depth: int) -> None:
    keep = f"#pragma HLS resource variable=b {clauses}\n" if clauses else ""
    loops = "for (int i = 0; i < 64; i++) b[i] = a[63 - i]; for (int i = 0; i < 64; i++) y[i] = b[i];"
    text = f"void k(int a[64], int y[64]) {{ int b[64];\n{keep}{loops} }}"
    assert found(tmp_path, text)["loops"][-1]["depth"] == depth


MULTIPLIED = """
static int mul(int a, int b) {{
{}
  return a * b;
}}
void k(int in[64], int out[64]) {{ for (int i = 0; i < 64; i++) out[i] = mul(in[i], in[63 - i]); }}
"""


@pytest.mark.parametrize(("named", "more"), [("bind_op variable=return op=mul latency=9", True), ("inline", False)])
def test_a_directive_on_return_is_of_the_value_that_the_function_returns(
    tmp_path: Path, named: str, *, more: bool
) -> None:
    """R6.6: it was refused, as no array is called so."""
    plain, told = (found(tmp_path, MULTIPLIED.format(f"#pragma HLS {each}")) for each in ("inline", named))
    assert (told["loops"][0]["depth"] > plain["loops"][0]["depth"]) == more


def test_a_resource_on_return_of_no_value_has_no_effect(tmp_path: Path) -> None:
    body = "#pragma HLS resource variable=return core=Mul_LUT\nfor (int i = 0; i < 64; i++) a[i] += 1;"
    text = f"void k(int a[64]) {{\n{body} }}"
    assert any("of the value that a function returns" in each for each in found(tmp_path, text)["without_effect"])


@pytest.mark.parametrize("part", ["xqzu29dr-ffrf1760-1-i", "xazu3eg-sbva484-1-i"])
def test_parts_of_other_grades_of_a_family_have_its_table(part: str) -> None:
    assert table_of(part, {"xczu9eg", "xcvu9p"})[0] == "xczu9eg"


# -- what is around a source ------------------------------------------------------------------------------------------


def test_a_header_beside_a_copy_of_the_vendors_brings_none_of_that_copy(tmp_path: Path) -> None:
    """``-I`` of such a folder came after the stand-ins; a folder that was found nearby came before."""
    (tmp_path / "vendor").mkdir()
    (tmp_path / "vendor" / "ap_int.h").write_text("#error a copy of the vendor's header\n")
    (tmp_path / "vendor" / "own_builtins.h").write_text("#include <ap_int.h>\ntypedef ap_int<9> nine;\n")
    text = "#include <own_builtins.h>\nvoid k(nine a[64]) { for (int i = 0; i < 64; i++) a[i] += 1; }"
    assert found(tmp_path, text)["loops"][0]["iterations"] == 64


def test_tapa_is_refused_with_what_to_give_instead(tmp_path: Path) -> None:
    text = "#include <tapa.h>\nvoid k(tapa::istream<int>& a) { a.read(); }"
    with pytest.raises(InputError, match=r"header 'tapa\.h' is not followed: .*tapac --work-dir W.*k\.cpp:2:"):
        found(tmp_path, text)


# -- scripts ----------------------------------------------------------------------------------------------------------


def test_variables_of_the_namespace_and_parts_of_paths_are_known(tmp_path: Path) -> None:
    lines = ("variable top k", "variable file [exec basename /else/where/top.cpp] empty", "set_top $top")
    read = project(tmp_path, "\n".join((*lines, "add_files [exec dirname src/x.cpp]/$file")))
    assert (read.top, read.sources) == ("k", (f"{tmp_path}/src/top.cpp",))


def test_the_folder_of_the_script_has_a_name(tmp_path: Path) -> None:
    read = project(tmp_path, "set_top [exec basename [pwd]]\nadd_files src/top.cpp")
    assert read.top == tmp_path.name


def test_a_top_of_a_missing_file_names_that_file(tmp_path: Path) -> None:
    script = tmp_path / "build.tcl"
    script.write_text("source own.tcl\nset_top $top\n")
    with pytest.raises(
        InputError, match=r"build\.tcl:2: set_top \$top: the variable has no value; '.*own\.tcl', which"
    ):
        read_project(str(script))


def test_the_name_of_the_script_is_no_argument(tmp_path: Path) -> None:
    script = tmp_path / "build.tcl"
    script.write_text("puts $argv0\nset_top k\nadd_files gone.cpp\n")
    with pytest.raises(InputError) as caught:
        read_project(str(script))
    assert "--tclargs" not in str(caught.value)


# -- functions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["return s.write(v);", "s.write(v);", "if (v > 3) return s.write(v); s.write(0);"])
def test_a_write_of_a_stream_that_is_returned_is_a_statement(tmp_path: Path, written: str) -> None:
    """The value had the type void, and a refusal without a line."""
    function = f"static void w(hls::stream<int> &s, int v) {{ {written} }}\n"
    body = "for (int i = 0; i < 64; i++) w(b, a.read() + 1);"
    text = f"#include <hls_stream.h>\n{function}void k(hls::stream<int> &a, hls::stream<int> &b) {{ {body} }}"
    (loop,) = found(tmp_path, text)["loops"]
    assert (loop["ii"], loop["iterations"]) == (1, 64)
