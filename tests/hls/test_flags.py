"""A flag in the head of a loop ends it as a test in its body does (R4.10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule

SEARCH = "int f(const int a[64], int k) {{ int r = -1; bool go = true; {} return r; }}"
LOOP = "for (int i = 0; i < 64; i++)"
FOUND = "if (a[i] == k) { r = i; go = false; }"
IN_BODY = SEARCH.format(f"{LOOP} {{ if (!go) break; {FOUND} }}")


def intervals(folder: Path, text: str) -> list[tuple[int, int, int]]:
    """Return the interval, the depth and the iterations of each loop."""
    (folder / "k.cpp").write_text(text, "utf-8")
    loops = schedule(folder / "k.cpp", device="xc7z020", release="2022.2").to_dict()["loops"]
    return [(each["ii"], each["depth"], each["trip"]) for each in loops]


@pytest.mark.parametrize(
    ("in_body", "in_head"),
    [
        (IN_BODY, SEARCH.format(f"for (int i = 0; i < 64 && go; i++) {FOUND}")),
        (IN_BODY, SEARCH.format(f"for (int i = 0; go && i < 64; i++) {{ int t = a[i]; bool at = t == k; {FOUND} }}")),
        (IN_BODY, SEARCH.format(f"int i = 0; while (go && i < 64) {{ {FOUND} i++; }}")),
    ],
)
def test_a_test_in_the_head_is_one_in_the_body(tmp_path: Path, in_body: str, in_head: str) -> None:
    assert intervals(tmp_path, in_head) == intervals(tmp_path, in_body)
    assert intervals(tmp_path, in_body)[0][0] == 2


def test_a_test_of_what_no_element_decides_keeps_one_iteration_a_cycle(tmp_path: Path) -> None:
    text = "int f(int k) { int s = 0; for (int i = 0; i < 64 && s < k; i++) s += 3; return s; }"
    assert intervals(tmp_path, text)[0][0] == 1
