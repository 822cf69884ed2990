"""Algorithm 1 on the kernels of the roofline paper's Table 1: seconds beside the paper's 12 to 56.

python -m pytest tests/benchmarks/test_dse.py -o addopts="" -s
"""

from __future__ import annotations

from typing import Any

import pytest

from ppnsim.hls.dse.designs import Designs
from ppnsim.hls.dse.walk import explore_directives
from validation.roofline.cells import CELLS
from validation.roofline.table1 import TABLE, library, program


@pytest.mark.parametrize("name", TABLE)
def test_seconds_to_explore(benchmark: Any, name: str) -> None:
    kernel = program(name)  # parsing is not what is measured
    found = benchmark.pedantic(lambda: explore_directives(Designs(kernel, library())), rounds=2)
    benchmark.extra_info |= {"paper_seconds": TABLE[name].seconds, "designs": found.explored}
    assert found.complete and found.best.fits and found.gain > 1
    assert found.explored == int(TABLE[name].explored) or (name, "explored") in CELLS
