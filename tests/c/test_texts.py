"""String literals are constant tables of letters, wherever they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_kernels
from ppnsim.c.policy import HARDWARE
from tests.helpers.hls_sources import written

SUM = "int n = 0; for (int i = 0; i < 3; i++) n += s[i];"
KERNEL = "void kernel(int out[8]) {{ {} for (int i = 0; i < 8; i++) out[i] = n + i; }}\n"


@pytest.mark.parametrize(
    "text",
    [
        f"int sum(const char *s) {{ {SUM} return n; }}\n" + KERNEL.format('int n = sum("YES");'),
        f"int sum(const char (&s)[4]) {{ {SUM} return n; }}\n" + KERNEL.format('int n = sum("YES");'),
        KERNEL.format(f'const char s[] = "YES"; {SUM}'),
        KERNEL.format(f'const char *s = "YES"; {SUM}'),
        'static const char s[4] = "YES";\n' + KERNEL.format(SUM),
        "static const char s[4] = {'Y', 'E', 'S', 0};\n" + KERNEL.format(SUM),
    ],
    ids=["pointer", "reference", "array", "pointer to it", "global", "as numbers"],
)
def test_a_text_is_a_table_of_its_letters(tmp_path: Path, text: str) -> None:
    """It was a port of 2^32 characters where a function takes it, and a memory without numbers as a global."""
    (program,) = load_kernels(str(written(tmp_path, text)), function="kernel", policy=HARDWARE).programs
    assert [array.name for array in program.arrays if array.role == "parameter"] == ["out"]
    assert [(each.shape, each.initial) for each in program.arrays if each.bits == 8] == [((4,), "{89, 69, 83, 0}")]


def test_a_text_that_is_only_a_name_is_no_array(tmp_path: Path) -> None:
    text = "struct Log { void at(const char *name, int n) { last = n; } int last; };\n"
    text += KERNEL.format('Log log; log.at("first", 3); int n = log.last;')
    (program,) = load_kernels(str(written(tmp_path, text)), policy=HARDWARE).programs
    assert not [array.name for array in program.arrays if array.bits == 8]
