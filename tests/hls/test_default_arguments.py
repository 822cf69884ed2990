"""Default arguments as trip counts: of what the kernel calls without them, they are the numbers themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from tests.helpers.hls_sources import written

CALLED = {
    "a function": ("static void f(int A[64], int n = 24) { FOR }", "f(A);"),
    "a declaration before it": ("void f(int A[64], int n = 24);", "f(A); } void f(int A[64], int n) { FOR"),
    "a method": ("struct o { void f(int A[64], int n = 24) { FOR } };", "o x; x.f(A);"),
    "a constructor": ("struct o { int n; o(int m = 24) : n(m) {} void f(int A[64]) { FOR } };", "o x; x.f(A);"),
    "a template": ("template <typename T> static void f(T *A, int n = 4 * 6) { FOR }", "f(A);"),
    "a call of a call": (
        "static void g(int *A, int n) { FOR } static void f(int *A, int m = 24) { g(A, m); }",
        "f(A);",
    ),
}


@pytest.mark.parametrize("form", CALLED)
def test_a_default_argument_is_the_trip_count_of_a_call_without_it(tmp_path: Path, form: str) -> None:
    before, body = (text.replace("FOR", "for (int i = 0; i < n; i++) A[i] += 1;") for text in CALLED[form])
    (found,) = ppnsim.schedule(written(tmp_path, f"{before}\nvoid k(int A[64]) {{ {body} }}"), function="k").kernels
    (nest,) = found.nests
    assert (nest.least, nest.most) == (24, 24)
    assert found.extremes is None
    assert not any("annotated or assumed" in each for each in found.assumptions)
