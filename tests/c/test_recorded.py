"""What bodies of every kind are lowered to, part by part, as networks and as hardware, or why they are not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import chdir
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ppnsim.c.load import load_kernels
from ppnsim.c.policy import HARDWARE, STRICT, LoweringPolicy
from ppnsim.loops.program import LoopProgram
from tests.golden.records import unlike
from tests.golden.snippets import snippets, types_source

_LOOP = """void k{}(int a[16], int b[16][4], float f[16], int n, int *p) {{
  for (int i = 0; i < 16; i++) {{
    {}
  }}
}}
"""


def lowered() -> str:
    """Return what the bodies of the snippets are lowered to; each kind is one file."""
    bodies = [line for line in snippets()["snippets_bodies"] if line not in _NO_C]
    with TemporaryDirectory() as folder, chdir(folder):
        Path("k.c").write_text("".join(map(_LOOP.format, range(len(bodies)), bodies)), encoding="utf-8")
        Path("k.cpp").write_text(types_source(snippets()["snippets_types"]), encoding="utf-8")
        lines = [*_told("k.c", STRICT), *_told("k.c", HARDWARE), *_told("k.cpp", HARDWARE)]
    return "".join(f"{line}\n" for line in lines)


_NO_C = ("b[i] = 0;", "a[i] = ;", "a[i] = WIDTH;")


def _told(path: str, policy: LoweringPolicy) -> Iterator[str]:
    found = load_kernels(path, settings={"n": 5} if path == "k.c" else {}, policy=policy)
    yield f"{path}, {'as hardware' if policy is HARDWARE else 'strictly'}; assumed {found.assumed}"
    for program in found.programs:
        yield f"  {program.name}: {_parts(program)}"
        for statement, around, place in program.placed():
            yield f"    {statement.name} {place} {_number((statement, around))} in line {statement.position.line}"
    yield from (f"  {each}" for each in found.skipped)
    yield from (f"  {name} has a range" for name in found.ranged)


def _parts(program: LoopProgram) -> str:
    return ", ".join(f"{each.name} {_number(getattr(program, each.name))}" for each in fields(program))


def _number(part: object) -> str:
    """Return a number that every change makes another one."""
    return sha256(repr(part).encode()).hexdigest()[:8]


def test_bodies_are_lowered_as_recorded() -> None:
    assert unlike("lowered") == []


@pytest.mark.parametrize(("elements", "statements"), [(1, 1), (63, 63), (64, 64), (65, 1), (200, 1)])
def test_arrays_in_structs_are_copied_one_by_one_up_to_64_elements(
    elements: int, statements: int, tmp_path: Path
) -> None:
    path = tmp_path / "k.c"
    body = "for (int i = 0; i < 2; i++) a[i] = b[i];"
    text = f"struct s {{ int x[{elements}]; }};\nvoid k(struct s a[2], struct s b[2]) {{ {body} }}\n"
    path.write_text(text, encoding="utf-8")
    (program,) = load_kernels(str(path), policy=HARDWARE).programs
    assert len(program.statements()) == statements
