"""Counters that decide about streams: those that no data decide are followed, against their execution."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.c.plain.cycles import Cycle, cycle_of
from ppnsim.errors import InputError
from ppnsim.source_networks.load import load_source
from tests.helpers.hls_sources import written

COUNTERS = {
    "int k = 0; for (int i = 0; i < 6; i++) for (int j = 0; j < 5; j++) { s[k].write(a[j]); k++; if (k == 4) k = 0; }":
        [n % 4 for n in range(30)],
    "int k = 2; for (int i = 31; i >= 0; i--) { s[k].write(a[i]); k = (k == 3) ? 0 : k + 1; }":
        [(2 + n) % 4 for n in range(32)],
    "int k = 3; for (int i = 0; i < 32; i += 2) { s[k].write(a[i]); k = k == 0 ? 3 : k - 1; }":
        [3 - n % 4 for n in range(16)],
    "ap_uint<2> k = 1; for (int i = 0; i < 9; i++) { s[k++].write(a[i]); }": [(1 + n) % 4 for n in range(9)],
    "int k = 3; for (int i = 0; i < 9; i++) { s[k].write(a[i]); k++; if (k >= 4) k = 1; }":
        [(3, 1, 2)[n % 3] for n in range(9)],
    "int l = 0, r = 0; for (int i = 0; i < 16; i++) { s[r].write(a[i]); if (l == 3) { l = 0; r++; } else l++; }":
        [n // 4 for n in range(16)],
    "int k = 0; for (int i = 0; i < 9; i++) { int m = (k + 1) % 3; int n = m; s[n].write(i); k = m; }":
        [(1 + n) % 3 for n in range(9)],
    "int k = 0, acc = 0; for (int i = 0; i < 32; i++) { acc += a[i]; k++;"
    " if (k == 4) { s[1].write(acc); k = 0; acc = 0; } }": [1] * 8,
    "bool odd = false; for (int i = 0; i < 8; i++) { if (odd) s[0].write(1); else s[1].write(2); odd = !odd; }":
        [1, 0] * 4,
}  # fmt: skip


def region(folder: Path, task: str, counts: list[int]) -> Path:
    """Return a source whose first task deals tokens to four streams, and whose second one takes so many of each."""
    takes = "".join(
        f"for (int i = 0; i < {count}; i++) c[i] = s[{lane}].read();\n" for lane, count in enumerate(counts) if count
    )
    return written(
        folder,
        f"""#include "hls_stream.h"
#include "ap_int.h"
static void deal(const int a[32], hls::stream<int> s[4], int &n) {{
    {task} }}
static void take(hls::stream<int> s[4], int c[32]) {{ {takes} }}
void top(const int a[32], int c[32], int n) {{
#pragma HLS dataflow
    hls::stream<int, 64> s[4];
    deal(a, s, n);
    take(s, c);
}}
""",
    )


@pytest.mark.parametrize("task", COUNTERS)
def test_a_counter_is_followed(tmp_path: Path, task: str) -> None:
    lanes = COUNTERS[task]
    path = region(tmp_path, task, [lanes.count(lane) for lane in range(4)])
    network = load_source(str(path), function="top").network
    writes = [
        (step, int(channel.name[2]))
        for channel in network.channels if channel.write_steps is not None
        for step in channel.write_steps.expand().tolist()
    ]  # fmt: skip
    assert [lane for _, lane in sorted(writes)] == lanes


@pytest.mark.parametrize(
    "task",
    [
        "int k = 0; for (int i = 0; i < 32; i++) { s[k].write(a[i]); if (a[i] & 1) k++; if (k == 4) k = 0; }",
        "int k = a[0] & 3; for (int i = 0; i < 32; i++) { s[k].write(a[i]); k++; if (k == 4) k = 0; }",
        "int k = 0; for (int i = 0; i < 32; i++) { s[k].write(a[i]); if (a[i] == 9) continue; k ^= 1; }",
        "int k = 1; for (int i = 0; i < 12; i++) { s[k & 3].write(a[i]); k = (k * 5 + 3) & 7; }",
        "int k = 0, m; int *r = &m; r = &k; for (int i = 0; i < 32; i++) { s[k].write(a[i]); (*r)++; k &= 3; }",
        "int k = 0; for (int i = 0; i < a[3]; i++) for (int j = 0; j < a[2]; j++) { s[k].write(1); k ^= 1; }",
    ],
)
def test_what_data_decides_is_refused_with_its_line(tmp_path: Path, task: str) -> None:
    path = region(tmp_path, task, [8] * 4)
    with pytest.raises(InputError) as raised:
        load_source(str(path), function="top")
    assert str(raised.value).startswith(f"{path}:4:")
    assert "--testbench FILE executes the design with its input" in str(raised.value)


@settings(deadline=None, max_examples=60)
@given(
    st.integers(-3, 3), st.integers(-3, 3).filter(bool), st.integers(0, 9), st.integers(1, 4), st.integers(2, 6),
    st.booleans(),
)  # fmt: skip
def test_a_cycle_is_found_again(start: int, step: int, shift: int, every: int, length: int, again: bool) -> None:
    cycle = Cycle(start, step, shift, every, length)
    period = every * length
    numbers = [cycle.at(place) for place in range(period if again else 2 * period)]
    found = cycle_of(numbers, period if again else 0)
    assert found is not None
    more = 5 * period if again else len(numbers)
    assert [found.at(place) for place in range(more)] == [cycle.at(place) for place in range(more)]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=9), st.booleans())
def test_a_cycle_is_what_was_seen(numbers: list[int], again: bool) -> None:
    found = cycle_of(numbers, len(numbers) if again else 0)
    times = 3 if again else 1
    assert found is None or [found.at(place) for place in range(times * len(numbers))] == numbers * times
