"""Pointers that data moves: what the offset reads is read, and an element behind one is that of its array."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim

KERNEL = "void k(int h[64], int x[99], int y[99]) {{ for (int i = 0; i < 99; i++) {{ {body} }} }}"


def figures(folder: Path, body: str) -> list[tuple[object, ...]]:
    """Return interval, depth and reads of each loop, and the cycles of a kernel."""
    path = folder / "k.cpp"
    path.write_text(KERNEL.format(body=body))
    kernel = ppnsim.schedule(path).kernels[0]
    return [(each.body.schedule.ii, each.body.depth, each.iterations) for each in kernel.machine.nests] + [
        (kernel.machine.cycles,)
    ]


@pytest.mark.parametrize(
    ("pointer", "subscript"),
    [
        ("int *r = h + x[i]; y[i] = *r;", "y[i] = h[x[i]];"),
        ("int *r = &h[x[i]]; *r = *r + 1;", "h[x[i]] = h[x[i]] + 1;"),
        ("int o = x[i]; y[i] = *(h + o);", "int o = x[i]; y[i] = h[o];"),
        ("int *r = h + x[i] + 1; y[i] = *r;", "y[i] = h[x[i] + 1];"),
        (
            "int o = x[i], *r = h + o; y[i] = r[0] + r[1]; r[2] = 3;",
            "int o = x[i]; y[i] = h[o] + h[o + 1]; h[o + 2] = 3;",
        ),
        # Where the pointer was set is what counts, not where it is used.
        ("int *r = h + x[i]; x[i] = 5; y[i] = *r;", "int o = x[i]; x[i] = 5; y[i] = h[o];"),
    ],
)
def test_a_pointer_is_the_element_that_it_names(tmp_path: Path, pointer: str, subscript: str) -> None:
    assert figures(tmp_path, pointer) == figures(tmp_path, subscript)
