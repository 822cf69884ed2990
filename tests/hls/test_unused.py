"""What nobody uses takes no state, no port and no unit, as after synthesis (R5.10)."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim

KERNEL = """#include <hls_stream.h>
int square(int a) {{ return a * a + 3; }}
int both(int a, int b, int &rest) {{ rest = a / b; return a + 1; }}
void k(int h[99], int x[99], int y[99], hls::stream<int> &in, hls::stream<int> &out, int n) {{ {} }}"""
COPY = "for (int i = 0; i < 99; i++) { CODE y[i] = h[i]; }"


def kernel(folder: Path, body: str) -> tuple[tuple[int, list[tuple[int, int, int]]], list[str]]:
    """Return cycles and loops of a kernel, and what is assumed."""
    path = folder / "k.cpp"
    path.write_text(KERNEL.format(body))
    found = ppnsim.schedule(path, function="k")
    machine = found.kernels[0].machine
    loops = [(each.body.schedule.ii, each.body.depth, each.iterations) for each in machine.nests]
    return (machine.cycles, loops), [*machine.said]


@pytest.mark.parametrize(
    "code",
    [
        "int t = x[i] * h[i];",
        "int t = x[i] / h[i]; int u = t + 1; if (u > 3) t = u;",
        "if (x[i] > 3) ;",
        "x[i] + 3;",
        "square(x[i]);",
        "int t = square(x[i]);",
        "int t; both(x[i], h[i], t);",
        "int t = x[i] / 7; t = 3;",  # set again before anything reads it
    ],
)
def test_a_value_that_nobody_uses_takes_no_state(tmp_path: Path, code: str) -> None:
    assert kernel(tmp_path, COPY.replace("CODE", code))[0] == kernel(tmp_path, COPY.replace("CODE", ""))[0]


@pytest.mark.parametrize(
    "body",
    [
        f"int s = 3; {COPY} s = h[0];",
        f"float s = 0; for (int i = 0; i < 99; i++) s += x[i]; {COPY}",
        f"int l[99], s = 0; for (int i = 0; i < 99; i++) l[i] = x[i]; for (int i = 0; i < 99; i++) s += l[i]; {COPY}",
        f"{COPY} n = n + h[3];",  # a parameter by its value
    ],
)
def test_what_leads_to_nothing_that_is_used_is_not_there(tmp_path: Path, body: str) -> None:
    plain = kernel(tmp_path, COPY.replace("CODE", ""))[0]
    found, said = kernel(tmp_path, body.replace("CODE", ""))
    assert found == plain
    assert said == ["nobody uses a part of what line 4 computes: it is removed, as synthesis does"]


@pytest.mark.parametrize(
    ("code", "least"),
    [
        ("int t = in.read();", 1),  # a token is taken, whoever uses it
        ("out.write(1); out.write(2);", 2),
        ("static int t = 0; t += x[i] / h[i];", 1),  # the next call finds it
        ("if (x[i] > 3) y[0] = 5;", 1),
        ("volatile int t = x[i] / 7;", 1),
        ("volatile int t[9]; t[i % 9] = x[i] / 7;", 1),
    ],
)
def test_what_others_see_is_there(tmp_path: Path, code: str, least: int) -> None:
    (_, loops), said = kernel(tmp_path, COPY.replace("CODE", code))
    assert not said
    assert loops != kernel(tmp_path, COPY.replace("CODE", ""))[0][1] or code.startswith("int t = in")
    assert loops[0][0] >= least


@pytest.mark.parametrize(
    ("of", "begin", "change", "result"),
    [
        ("int", "int s = 0;", "s += x[i] / h[i];", "s"),
        ("int", "int s = 0;", "s = x[i] / h[i];", "(s)"),
        ("int", "", "n = x[i] / h[i];", "n"),
        ("pair", "pair s;", "s.a = x[i] / h[i];", "s"),
    ],
)
def test_what_is_returned_is_there(tmp_path: Path, of: str, begin: str, change: str, result: str) -> None:
    """It was removed, in silence, where a variable is returned as it is: 99 cycles for 136."""
    path = tmp_path / "k.cpp"
    loop = COPY.replace("CODE", change)
    text = f"struct pair {{ int a, b; }};\n{of} k(int h[99], int x[99], int y[99], int n) {{ {begin} {loop}"
    path.write_text(f"{text} return {result}; }}")
    machine = ppnsim.schedule(path, function="k").kernels[0].machine
    assert not machine.said
    assert machine.nests[0].body.depth > 36


def test_a_kernel_that_nobody_uses_is_scheduled_as_it_is_written(tmp_path: Path) -> None:
    body = "int l[99]; for (int i = 0; i < 99; i++) l[i] = i;"
    assert kernel(tmp_path, body)[0] == (99, [(1, 2, 99)])


def test_what_a_task_hands_on_stays(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text("""
void sum(int x[64], int &s, int y[64]) { int t = 0; for (int i = 0; i < 64; i++) { t += x[i]; y[i] = x[i]; } s = t; }
void turn(int y[64], int z[64]) { for (int i = 0; i < 64; i++) { int u = y[i] * y[i]; z[63 - i] = y[i]; } }
void k(int x[64], int z[64]) {
#pragma HLS dataflow
  int s, y[64];
  sum(x, s, y);
  turn(y, z);
}""")
    machine = ppnsim.schedule(path, function="k").kernels[0].machine
    assert machine.region is not None
    assert [each.machine.nests[0].body.depth for each in machine.region.tasks.values()] == [3, 2]
    assert "nobody uses a part of what line 3 computes: it is removed, as synthesis does" in machine.region.said


def test_lines_of_a_header_are_named_with_it(tmp_path: Path) -> None:
    (tmp_path / "h.h").write_text("static int f(int x) {\n int dead = x / 7;\n return x + 1; }")
    (path := tmp_path / "k.cpp").write_text(
        '#include "h.h"\nvoid k(int a[8]) { for (int i = 0; i < 8; i++) a[i] = f(i); }'
    )
    assert any(
        "nobody uses what line 2 of h.h computes:" in each for each in ppnsim.schedule(path).kernels[0].assumptions
    )


@pytest.mark.parametrize(
    "loop",
    [
        "while (i < n) { n -= x[i]; i++; }",
        "for (; i < n; i++) n -= x[i];",
        "while (i < 99 && n > 5) { n -= x[i]; i++; }",
        "while (i < n && n > x[i]) { i++; n -= x[i]; }",
        "double z = 0; while (i < 99 && z * z + 1 < x[0]) { z = z * z + x[1]; i++; }",
        "double z = 0; for (; i < 99; i++) { if (z > x[0]) break; z = z * z + x[1]; }",
    ],
)
def test_what_ends_a_loop_is_used_if_its_count_is(tmp_path: Path, loop: str) -> None:
    """Such a loop was not there, in silence: 0 cycles."""
    (cycles, loops), _ = kernel(tmp_path, f"int i = 0; {loop} y[0] = i;")
    assert cycles >= 99 * loops[0][0]
    assert not kernel(tmp_path, f"int i = 0; {loop} y[0] = 3;")[0][1]


def test_a_loop_of_nothing_and_a_kernel_that_nobody_needs_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Behind a slip, ``for (..);`` or ``y[i] == 3;``, 0 cycles stood alone."""
    assert kernel(tmp_path, "for (int i = 0; i < 9; i++);\n{ y[0] = 3; }")[0][1] == []
    assert "nothing in the loop in line 4 becomes hardware: it is removed, as synthesis does" in capsys.readouterr().err
    (_, loops), said = kernel(tmp_path, "int t[9]; for (int i = 0; i < 9; i++) t[i] = x[i];")
    assert loops and "nobody uses what it computes: synthesis removes all of it, and here it is counted" in said[0]


@pytest.mark.parametrize("inner", ["auto f = [&](int x) { return x * k; };", ""], ids=["lambda", "helper"])
def test_a_task_that_calls_functions_knows_its_constants_as_the_function_alone_does(tmp_path: Path, inner: str) -> None:
    """A constant that the task hands to a function was kept as a variable: a cycle more than the function alone."""
    called = "f(a[i])" if inner else "times(a[i], k)"
    text = f"""static int times(int x, int &k) {{ return x * k; }}
void task(int a[64], int out[64]) {{ int k = 3; {inner} for (int i = 0; i < 64; i++) out[i] = {called}; }}
void top(int a[64], int out[64]) {{
#pragma HLS dataflow
  task(a, out);
}}"""
    (path := tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    alone, whole = (ppnsim.schedule(path, function=name).kernels[0].machine.cycles for name in ("task", "top"))
    assert alone == whole
