"""What every answer of the library can do: its text as wide as that of commands, its rows, its equality, its looks."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest
from rich.console import Console

import ppnsim
from ppnsim.errors import InputError
from ppnsim.library.answer import Answer
from ppnsim.model.builders import fork_join


class Line(Answer):
    """An answer of one line, which took some seconds."""

    _measured: ClassVar[frozenset[str]] = frozenset({"seconds"})

    def __init__(self, text: str, seconds: float = 0.0) -> None:
        self.text, self.seconds = text, seconds

    def to_dict(self) -> Any:
        return {"text": self.text, "parts": [{"seconds": self.seconds, "n": (1, 2)}], "seconds": self.seconds}

    def print(self, console: Console) -> None:
        console.print(self.text)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [{"text": self.text, "n": 1}, {"text": self.text, "n": 2}]


class Other(Line):
    """An answer of another kind that says the same."""

    _measured: ClassVar[frozenset[str]] = frozenset()


def test_text_is_as_wide_as_that_of_commands_into_a_file() -> None:
    assert str(Line("x" * 160)) == "x" * 160
    assert str(Line("x" * 161)) == "x" * 160 + "\nx"


def test_answers_are_equal_if_they_are_of_one_kind_and_say_the_same_however_long_it_took() -> None:
    assert Line("a", 1.0) == Line("a", 2.0) != Line("b", 1.0)
    assert Line("a") != Other("a") and Line("a") != "a"
    assert Other("a", 1.0) == Other("a", 1.0) != Other("a", 2.0)
    assert hash(Line("a")) == hash(Line("b")) != hash(Other("a"))
    same = Line("a")
    assert same == same


def test_an_answer_is_shown_by_its_first_line_and_as_text_in_a_notebook() -> None:
    answer = Line("  first < 2\nsecond")
    assert repr(answer) == "<Line: first < 2>"
    assert answer._repr_html_() == "<pre>  first &lt; 2\nsecond</pre>"
    assert answer.to_frame().to_dict("list") == {"text": [answer.text] * 2, "n": [1, 2]}
    with pytest.raises(InputError) as error:
        answer.figure()
    assert str(error.value) == "a Line has no picture"


def test_answers_with_a_picture_show_it_below_their_text_in_a_notebook() -> None:
    network = fork_join(firings=20)
    answers = (
        network.sweep({"short_in.depth": [1, 2]}), ppnsim.compare(network, "absolute", vary={"short_in.depth": [1, 2]}),
        network.explain(top=0),
    )  # fmt: skip
    for answer in answers:
        text, picture = answer._repr_html_().split("</pre>")
        assert text.startswith("<pre>") and picture.startswith(f'<img alt="{type(answer).__name__}"')
        assert "data:image/png;base64," in picture


def test_a_sweep_as_a_frame_has_no_keys() -> None:
    table = fork_join(firings=20).sweep({"short_in.depth": [1, 2]})
    assert "key" in table.rows()[0] and "key" not in table.to_frame().columns
    assert len(table.to_frame()) == 2


def test_an_answer_in_a_notebook_has_no_escape_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # as ipykernel does
    outcome = ppnsim.explain(fork_join(firings=20, short_depth=8))
    assert "\x1b" not in outcome._repr_html_()
    assert "finish" in outcome._repr_html_()


def test_short_forms_say_the_answer_first() -> None:
    network = ppnsim.fork_join(firings=20)
    compared = ppnsim.compare(network, "absolute", vary={"short*.depth": [1, 8]})
    assert repr(compared).startswith("<ComparedModels: absolute: mean |error| ")
    assert repr(ppnsim.absolute(network)) == "<Estimate: finish 37 cycles, parallelism 8.11 mean, 15 max>"
    fix = ppnsim.fix_deadlock(network.with_style("frozen"))
    assert fix._repr_html_() == f"<pre>{html.escape(str(fix))}</pre>"
