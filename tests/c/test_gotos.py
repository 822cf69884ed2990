"""Gotos to a label further down: values beside those of the compiler's program, trips, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_kernels
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.library.schedule import schedule
from tests.oracles.compiled import differing, named

BODIES = named("""
# cleanup
b[2] = 1; if (a[3] > 20) goto done; b[0] = 4; if (a[4] > 0) { b[1] = 7; goto done; } b[3] = 8; done: c[0] = 2;
# two labels
if (a[1] > 0) goto one; b[0] = 4; if (a[5] > 0) goto two; b[3] = 8; two: c[1] = 3; one: c[0] = 2;
# in the body of a loop
for (int i = 0; i < 8; i++) { if (i == 6) break; if (a[i] > 5) goto next; b[i] = 3; next: c[i] = i; }
# in a switch
for (int i = 0; i < 4; i++) {
switch (i) { case 1: goto out; case 2: b[2] = 5; break; default: b[i] = 3; } c[i] = 4; out: c[4] += 1; }
# out of a loop
int i; for (i = 0; i < 8; i++) { c[0]++; if (i == 4) goto done; c[1]++; } done: b[0] = 2;
# without a test
goto end; b[0] = 3; end: b[1] = 4;
# in a block
{ if (a[0] > 0) goto in; b[0] = 1; in: b[1] = 5; } if (a[7] > 0) goto out; b[2] = 2; out: b[3] = 3;
""")
_ROWS = {
    "a row of gotos": ("if (a[{0} & 7] == 90 - {0}) goto end; b[{0} & 7] += {0};", "@ end: c[0] = 2;"),
    "each in a branch that may go on": ("if (a[{0} & 7] > {0}) {{ if (a[{0} & 3] == 6) goto end; b[{0} & 7]++; }}",
                                        "@ c[1] = 9; end: c[2] = 3;"),
    "each starts the next iteration": ("if (a[j] > {0}) {{ if (b[{0} & 7] == 2) continue; b[{0} & 7]++; }}",
                                       "for (int j = 0; j < 8; j++) {{ @ c[j] = j; }}"),
}  # fmt: skip
for _name, (_one, _body) in _ROWS.items():
    _row = "".join(map(_one.format, range(70 if "row" in _name else 12)))
    BODIES[_name] = _body.replace("{{", "{").replace("}}", "}").replace("@", _row)


def test_values(tmp_path: Path) -> None:
    assert not differing("", BODIES, tmp_path)


def source(folder: Path, body: str) -> Path:
    """Return the source of a function with a body."""
    (file := folder / "f.cpp").write_text(f"void f(int a[64], int b[1]) {{ {body} }}", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("body", "trips"),
    [
        ("for (int i = 0; i < 64; i++) { b[0] += a[i]; if (i == 20) goto done; } done: b[0] = 2;", 21),
        ("int i = 0; while (1) { b[0] += a[i]; if (i == 20) goto done; i++; } done: b[0] = 2;", 21),
        ("for (int i = 0; i < 64; i++) { b[0] += a[i]; if (a[i] == 20) goto done; } done: b[0] = 2;", 64),
        ("for (int i = 0; i < 64; i++) { b[0] += a[i]; if (i == 20) goto done; } b[0] = 3; done: b[0]++;", 64),
    ],
)
def test_a_loop_that_a_goto_leaves(tmp_path: Path, body: str, trips: int) -> None:
    file = source(tmp_path, body)
    assert schedule(file).kernels[0].machine.nests[0].iterations == trips
    said = load_kernels(str(file), policy=HARDWARE).assumed
    assert any("around the goto in line 1 runs to its end" in each for each in said) == (trips == 64)


def test_a_goto_back_and_assembly_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"f\.cpp:1:\d+: goto 'again', whose label is not further down"):
        schedule(source(tmp_path, "int i = 0; again: a[i] = 3; i++; if (i < 64) goto again; b[0] = 2;"))
    with pytest.raises(
        InputError, match=r"f\.cpp:1:\d+: inline assembly, which no hardware is made of; put it between"
    ):
        schedule(source(tmp_path, 'asm volatile("nop"); b[0] = 2;'))
