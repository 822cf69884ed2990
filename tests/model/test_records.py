"""Dataclasses whose methods are made later are those of `dataclasses`, whatever the options."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import itertools
import pickle
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from ppnsim import records
from tests.house.test_house import PACKAGE

OPTIONS = [dict(zip(("frozen", "slots", "kw_only", "eq", "repr"), each, strict=True))
           for each in itertools.product((False, True), repeat=5)]  # fmt: skip


def made_by(dataclass: Callable[..., Any], options: dict[str, bool]) -> Any:
    @dataclass(**options)
    class Point:
        x: int
        y: int = 2
        seen: list[int] = dataclasses.field(default_factory=list, compare=False)
        size: int = dataclasses.field(init=False, default=7)
        total: int = dataclasses.field(init=False, repr=False)
        name: str = dataclasses.field(default="p", kw_only=True)

        def __post_init__(self) -> None:
            object.__setattr__(self, "total", self.x + self.y)

    return Point


def told(function: Callable[[], Any]) -> Any:
    try:
        return re.sub(r" at 0x\w+", "", repr(function()))
    except (TypeError, AttributeError) as error:
        return type(error).__name__, str(error)


def behaviour(point: Any) -> list[Any]:
    """Return what is seen of a class from outside, in the order in which a method could first be used."""
    one = point(x=1)
    ask: list[Callable[[], Any]] = [
        lambda: one, lambda: one == point(x=1), lambda: one == point(x=1, y=3), lambda: one == 1,
        lambda: hash(one) == hash(point(x=1)), lambda: point(1, 5), point,
        lambda: one.seen is point(x=1).seen,
        lambda: setattr(one, "x", 9), lambda: one.x, lambda: delattr(one, "y"),
        lambda: (one.total, one.size), lambda: dataclasses.replace(point(x=1), x=4, name="q"),
        lambda: dataclasses.asdict(point(x=3)), lambda: copy.deepcopy(point(x=3)), lambda: copy.copy(point(x=3)),
        lambda: inspect.signature(point), lambda: point.__hash__ is None, lambda: point.__match_args__,
        lambda: sorted(getattr(point, "__slots__", ())), lambda: point.__dataclass_params__.frozen,
    ]  # fmt: skip
    return [told(each) for each in ask]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda each: "".join("01"[value] for value in each.values()))
def test_a_record_does_what_a_dataclass_does(options: dict[str, bool]) -> None:
    assert behaviour(made_by(records.dataclass, options)) == behaviour(made_by(dataclasses.dataclass, options))


@records.dataclass(frozen=True, slots=True, order=True)
class Pair:
    """Of two numbers."""

    left: int
    right: int = 0


def test_a_record_is_pickled_and_ordered() -> None:
    assert pickle.loads(pickle.dumps(Pair(3, 4))) == Pair(3, 4)
    assert sorted([Pair(2), Pair(1, 5), Pair(1)]) == [Pair(1), Pair(1, 5), Pair(2)]


@pytest.mark.parametrize("dataclass", [records.dataclass, dataclasses.dataclass])
def test_a_record_is_extended_by_either(dataclass: Callable[..., Any]) -> None:
    @dataclass(frozen=True)
    class Third(Pair):
        third: int = 1

    assert Third(1, 2, 3) == Third(1, 2, 3) != Third(1, 2)
    assert {Third(1): 5}[Third(1)] == 5
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'left'"):
        Third(1).left = 4  # type: ignore[misc]


def test_methods_of_its_own_are_kept() -> None:
    @records.dataclass(frozen=True)
    class Own:
        x: int

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 5

        def __repr__(self) -> str:
            return "own"

    assert (Own(1) == Own(2), hash(Own(1)), repr(Own(1))) == (True, 5, "own")


def test_nothing_is_compiled_before_it_is_used() -> None:
    compiled = [
        name for name, each in vars(made_by(records.dataclass, {"frozen": True})).items() if inspect.isfunction(each)
    ]
    assert compiled == ["__post_init__", "__setattr__", "__delattr__"]


@cache
def dataclasses_of_python() -> list[str]:
    """Return the modules that make dataclasses by themselves."""
    found = (path for path in PACKAGE.rglob("*.py") if path.name != "records.py")
    pattern = re.compile(r"^from dataclasses import .*\bdataclass\b", re.MULTILINE)
    return [str(path.relative_to(PACKAGE)) for path in found if pattern.search(path.read_text(encoding="utf-8"))]


def test_every_dataclass_of_the_package_is_a_record() -> None:
    """Else it is half a millisecond of each start."""
    assert dataclasses_of_python() == []
