"""R4.15: an element over a bus at a place that data decides waits for the response to the store before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim import schedule
from ppnsim.hls.structure.partitions import Flow

_NEST = """void k(float {0}, const int b[64], int w, int h) {{
{1}
  for (int i = 1; i < h; i++)
#pragma HLS loop_tripcount min=8 max=8
    for (int j = 1; j < w; j++) {{
#pragma HLS loop_tripcount min=16 max=16
#pragma HLS pipeline
      {2}
    }}
}}
"""
_BUS = "#pragma HLS interface m_axi port=a bundle=gmem latency={}"


def _interval(folder: Path, body: str, argument: str = "*a", directive: str = "") -> int:
    source = folder / "k.cpp"
    source.write_text(_NEST.format(argument, directive, body))
    flow: Flow = "vitis" if directive else "vivado"
    (row,) = schedule(source, function="k", flow=flow).rows()
    return int(row["ii"])


@pytest.mark.parametrize(
    "body",
    [
        "a[i * w + j] = a[(i - 1) * w + j] + 1.0f;",
        "a[i * w + j] = a[i * w + j - 1] + 1.0f;",
        "a[b[j]] += 1.0f;",
    ],
)
def test_the_load_of_the_next_iteration_waits_for_the_response(tmp_path: Path, body: str) -> None:
    """Each state of the bus's latency is in the interval twice: in the load, and in the response to the store."""
    near, far = (_interval(tmp_path, body, directive=_BUS.format(latency)) for latency in (0, 64))
    assert far - near == 2 * 64
    assert near > 8 + 5 + 4  # the load, the response and the sum without latency


def test_places_that_are_known_apart_wait_for_nothing(tmp_path: Path) -> None:
    body = "a[64 * i + j] = a[64 * i + j + 4096] + 1.0f;"
    near, far = (_interval(tmp_path, body, directive=_BUS.format(latency)) for latency in (0, 64))
    assert near == far == 1


def test_memories_wait_for_no_response(tmp_path: Path) -> None:
    assert _interval(tmp_path, "a[b[j]] += 1.0f;", "a[4096]") < 10
