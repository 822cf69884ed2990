"""What is known of a question when its search has to stop while depths are lowered one by one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from types import SimpleNamespace as Of
from typing import Any

import pytest

from ppnsim.explore.fifo import enumeration
from ppnsim.explore.fifo.problem import OutOfBudget


@pytest.mark.parametrize("stop", [OutOfBudget, KeyboardInterrupt, None])
def test_what_was_found_before_the_end_is_not_called_certified(
    stop: type[BaseException] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[Any, dict[str, Any]]] = []

    def sized(_: object, vector: Any, **said: Any) -> Any:
        made.append((vector, said))
        return Of(cost=sum(vector))

    def lowered(*_: object) -> Iterator[tuple[int, ...]]:
        yield (9, 9)
        yield (9, 8)
        if stop is not None:
            raise stop

    monkeypatch.setattr(enumeration, "sized", sized)
    monkeypatch.setattr(enumeration, "enough", lambda *_: (9, 9))
    monkeypatch.setattr(enumeration, "reductions", lowered)
    answers: Any = Of(found={}, gaps=[], interrupted=False)
    problem: Any = None
    goal: Any = None
    with pytest.raises(KeyboardInterrupt) if stop is KeyboardInterrupt else nullcontext():
        enumeration._fall_back(problem, answers, "target", goal, 4, "no time was left")
    first = [((9, 9), {"certified": False, "with_less": False}), ((9, 8), {"certified": False, "with_less": False})]
    assert made == first + ([((9, 8), {"certified": False})] if stop is None else [])
    assert answers.found["target"].cost == 17
    why = [each.not_searched for each in answers.gaps]
    assert why == ["interrupted" if stop is KeyboardInterrupt else "no time was left"]
    assert [(each.lower, each.upper) for each in answers.gaps] == [(4, 17)]
