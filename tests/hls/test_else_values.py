"""The values that a statement of an ``else`` knows are those of the tables below it, none of which is copied."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.hls.graph.else_values import ElseValues
from ppnsim.hls.graph.exclusive import OpenBranch
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.library.types import Format
from ppnsim.loops.expressions import Affine, Not
from ppnsim.loops.program import Access

PLACES = [Access("a", (Affine.of(at),)) for at in range(6)]
KINDS = ("load", "op", "load", "store", "load", "op")
TABLES = st.dictionaries(st.sampled_from(PLACES), st.integers(0, len(KINDS) - 1))


def _graph() -> Graph:
    graph = Graph()
    for number, kind in enumerate(KINDS):
        graph.add(kind, f"n{number}", Format.of("int"))
    return graph


@settings(max_examples=300, deadline=None)
@given(TABLES, TABLES, TABLES, TABLES)
def test_an_else_knows_what_was_before_it_and_the_loads_of_the_branch_before(
    before: dict[Access, int], loaded: dict[Access, int], after: dict[Access, int], own: Mapping[Access, int]
) -> None:
    graph = _graph()
    branch = OpenBranch(Not("x > 0"), before, loaded=loaded, other=True)  # type: ignore[arg-type]
    loads = {access: node for access, node in after.items() if graph.nodes[node].kind == "load"}
    expected, found = {**loads, **loaded, **before}, ElseValues(branch, after, graph.nodes)
    for access, node in own.items():
        if access in (PLACES[0], PLACES[1]):
            assert found.setdefault(access, node) == expected.setdefault(access, node)
        else:
            found[access] = expected[access] = node
    for access in PLACES:
        assert found.get(access) == expected.get(access)
        assert found.get(access, -1) == expected.get(access, -1)
        assert (access in found) == (access in expected)
        if access in expected:
            assert found[access] == expected[access]
        else:
            with pytest.raises(KeyError):
                found[access]
    new = found.changed()
    assert dict(new) == {access: node for access, node in expected.items() if access not in after}
    assert [node for _, node in new] == sorted(node for _, node in new)
