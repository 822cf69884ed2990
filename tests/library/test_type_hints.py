"""Types of what is public, as tools at run time ask for them: notebooks, checkers, generators of forms."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, get_type_hints

import pytest

import ppnsim


def asked_of(name: str) -> Iterator[Callable[..., Any]]:
    """Yield a public function, or a class with its methods and properties."""
    found = getattr(ppnsim, name)
    yield found
    for member, each in inspect.getmembers(found) if inspect.isclass(found) else ():
        function = each.fget if isinstance(each, property) else each
        if inspect.isfunction(function) and (member == "__init__" or not member.startswith("_")):
            yield function


@pytest.mark.parametrize("name", ppnsim.__all__)
def test_every_annotation_of_what_is_public_can_be_resolved(name: str) -> None:
    for each in asked_of(name):
        assert isinstance(get_type_hints(each), dict)


def test_the_parts_of_a_run_have_the_types_of_what_a_run_holds() -> None:
    found = ppnsim.run(ppnsim.predictor())
    hints = get_type_hints(ppnsim.Run)
    assert isinstance(found.network, hints["network"])
    assert isinstance(found.recorded, hints["recorded"])
