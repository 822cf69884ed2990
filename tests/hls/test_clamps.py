"""Loops whose bound is limited before them: the limit is their most iterations, unless something else may follow."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ppnsim.c.load import load_kernels
from ppnsim.c.policy import HARDWARE

_LIMITED = {
    "if (n > 100) n = 100;": 100,
    "if (n >= 100) { n = 99; }": 99,
    "if (!(n <= 100)) n = 100;": 100,
    "if (n > 100 || n < 0) n = 100;": 100,
    "if (n < 1) n = 1; if (n > 100) n = 100;": 100,
    "n = n > 100 ? 100 : n;": 100,
    "n = std::min(n, 100);": 100,
    "n = std::clamp(n, 1, 100);": 100,
    "n = std::min(std::max(q, 3), 100);": 100,
    "n = q % 50;": 49,
    "n = std::min(n, 100); n++;": 101,
    "if (n > 100) n = 100; for (int k = 0; k < 4; k++) b[k] = q;": 100,
    "for (int k = 0; k < 4; k++) b[k] = n; n = 100; if (q > 3) n = 70;": 100,
}
_OPEN = [
    "if (n > 100 && q) n = 100;",
    "if (n > 100) n = 100; else n = q;",
    "if (n > 100) n = q;",
    "n = std::max(n, 100);",
    "n = std::min(n, 100); n += q;",
    "n = std::min(n, 100); in.read(n);",
    "n = std::min(n, 100); int *p = &n; *p = q;",
    "n = std::min(n, 100); [&]{ n = q; }();",
    "if (q > 2) { n = std::min(n, 100); b[0] = n; }",
    "n = std::min(n, 100); if (q > 2) n = q;",
    "n = std::min(n, 100); for (int k = 0; k < 4; k++) n = b[k];",
]


@cache
def _trips() -> dict[str, int]:
    codes = [*_LIMITED, *_OPEN]
    loop = "for (int i = 0; i < n; i++) a[i] = i;"
    lines = [
        f"void k{at}(int n, int q, hls::stream<int> &in, int *a, int *b) {{ {code} {loop} }}"
        for at, code in enumerate(codes, 3)
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "k.cpp"
        path.write_text("\n".join(["#include <algorithm>", '#include "hls_stream.h"', *lines]))
        said = load_kernels(str(path), policy=HARDWARE).assumed
    found = [re.match(r"the loop in line (\d+) runs (\d+) times", each) for each in said]
    return {codes[int(each[1]) - 3]: int(each[2]) for each in found if each is not None}


@pytest.mark.parametrize("code", _LIMITED)
def test_the_limit_of_a_bound_is_the_most_iterations(code: str) -> None:
    assert _trips()[code] == _LIMITED[code]


@pytest.mark.parametrize("code", _OPEN)
def test_a_bound_that_may_be_beyond_the_limit_has_none(code: str) -> None:
    assert _trips()[code] == 64


def test_a_condition_that_saw_another_value_of_its_limit_says_nothing(tmp_path: Path) -> None:
    code = "n = 100; if (q < n) { n = 5; for (int i = 0; i < q; i++) a[i] = n; }"
    path = tmp_path / "k.cpp"
    path.write_text(f"void k(int n, int q, int *a) {{ {code} }}")
    assert "runs 5 times" not in " ".join(load_kernels(str(path), policy=HARDWARE).assumed)
