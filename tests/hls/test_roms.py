"""Tables that functions, or loops, fill with constants are ROMs, which nothing fills (R9.44)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim import schedule

INIT = "void init(float t[64], float by) { for (int i = 0; i < 64; i++) { float x = i * by; t[i] = expf(x); } }\n"
CLIP = (
    "void clip(float t[64], float by) { for (int i = 0; i < 64; i++) if (i * by > 3) t[i] = 3; else t[i] = i * by; }\n"
)
COUNT = "int s = 0; for (int i = 0; i < 64; i++) { t[i] = s; if (i % 9 == 8) s++; }"


@pytest.mark.parametrize(
    ("body", "release", "rom"),
    [
        ("float t[64]; bool done = false; if (!done) init(t, 0.1f);", "2022.1", True),
        ("float t[64]; init(t, x[0]);", "2022.1", False),  # data
        ("float t[64]; clip(t, 0.1f);", "2022.1", True),  # the test is a constant, too
        ("float t[64]; clip(t, x[0]);", "2022.1", False),
        ("float t[64]; init(t, 0.1f); t[3] = 0;", "2022.1", False),  # stored elsewhere
        ("float t[64]; for (int k = 0; k < 3; k++) { init(t, k); y[k] = t[k]; }", "2022.1", False),  # of each k another
        ("float t[64]; if (x[0]) init(t, 0.1f); else init(t, 0.2f);", "2022.1", False),
        ("float t[64]; if (y[0] > 1) init(t, 0.1f); else init(t, 0.2f);", "2022.1", False),
        ("float t[64], z = 1; for (int k = 0; k < 3; k++) { z = z + k; init(t, z); y[k] = t[k]; }", "2022.1", False),
        ("float t[64] = {1}; y[1] = t[x[1]]; init(t, 0.1f);", "2022.1", False),  # what it has before is read
        (f"int t[64]; {COUNT}", "2019.2", True),
        (f"int t[64]; {COUNT}", "2022.1", False),
        (f"int t[64]; {COUNT} t[0] = x[0];", "2019.2", False),
    ],
)
def test_a_table_of_constants_is_a_rom(tmp_path: Path, body: str, release: str, rom: bool) -> None:
    use = "for (int i = 0; i < 64; i++) {\n#pragma HLS pipeline\n y[i] = t[x[i]]; }"
    (tmp_path / "k.cpp").write_text(
        f"#include <math.h>\n{INIT}{CLIP}void f(float y[64], int x[64]) {{ {body} {use} }}\n"
    )
    found = schedule(tmp_path / "k.cpp", function="f", release=release or None).to_dict()["cycles"]
    assert (found < 80) == rom
