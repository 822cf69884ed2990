"""A table of numbers has hundreds of thousands of nodes: what clang is asked for does not grow with it."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

from ppnsim.c.clang import names
from ppnsim.c.clang.library import position
from ppnsim.c.clang.parser import parse
from ppnsim.c.clang.places import PlacesOfSource
from ppnsim.c.syntax import SyntaxNode


def test_the_types_of_a_table_are_read_once(tmp_path: Path) -> None:
    file = tmp_path / "k.cpp"
    asked = []
    for count in (10, 200):
        file.write_text(f"const float t[{count}] = {{{'3 / (float)8,' * count}}};\nfloat f(int i) {{ return t[i]; }}\n")
        with patch.object(names, "scalar", wraps=names.scalar) as scalar:
            unit = parse(str(file), {}, ())
        (table,) = (each for each in unit.variables if each.name == "t")
        assert table.initial is not None
        assert {str(each.type.kind) for each in table.initial.walk() if each.kind != "list"} == {"integer", "real"}
        asked.append(scalar.call_count)
    assert asked[0] == asked[1]


def test_places_are_those_that_clang_gives(tmp_path: Path) -> None:
    """In a header, in a macro (where it is used), and in code that clang generates, which has no file."""
    (tmp_path / "h.h").write_text("struct P { int a = 1; };\n#define TWICE(x) ((x) + \\\n  (x))\n")
    file = tmp_path / "k.cpp"
    file.write_text('#include "h.h"\nint f(int i) {\n  P p, q = p;\n  return TWICE(i) + q.a;\n}\n')
    seen: list[tuple[object, object]] = []
    own = PlacesOfSource.of

    def both(places: PlacesOfSource, location: object) -> tuple[str, int, int, int]:
        found = own(places, location)
        at = position(location)
        seen.append((found, (at.file, at.line, at.column, location.offset)))  # type: ignore[attr-defined]
        return found

    with patch.object(PlacesOfSource, "of", both):
        parse(str(file), {}, ())
    assert len(seen) > 20
    assert all(ours == clangs for ours, clangs in seen)


def test_the_same_numbers_of_one_type_are_read_once_and_only_those(tmp_path: Path) -> None:
    file = tmp_path / "k.cpp"
    file.write_text(
        "#define N 3\nstruct P { int a; double b; float c; };\nconst int t[5] = {-3 / (int)2, -3 / (int)2, N, 3, N};\n"
        "const P p[2] = {1, 1, 1, {1, 1, 1}};\nconst float f[2] = {1, 1.5f};\nconst double d[1] = {1.5f};\n"
    )

    def read() -> dict[str, list[SyntaxNode]]:
        tables = {each.name: each.initial for each in parse(str(file), {}, ()).variables}
        return {name: list(initial.walk()) for name, initial in tables.items() if initial is not None}

    found = read()
    with patch.object(PlacesOfSource, "number", return_value=b""):
        each_for_itself = read()
    shown, own = (
        [[(str(n), n.kind, n.type, n.value) for n in nodes] for nodes in r.values()] for r in (found, each_for_itself)
    )
    assert shown == own
    first, second, named, _, again = found["t"][0].children
    assert first is second
    assert named is not again  # a macro may be another number there
