"""Sentences on a terminal: where they are broken, to the column."""

from __future__ import annotations

import io
import os

import pytest

from ppnsim.report.folding import folded, told_on


@pytest.mark.parametrize(
    ("text", "room", "lines"),
    [
        ("one two", 7, ["one two"]), ("one two", 6, ["one", "  two"]), ("", 5, [""]),
        ("unbreakable", 4, ["unbreakable"]),
        ("  one two six", 9, ["  one two", "    six"]), ("  one two six", 8, ["  one", "    two", "    six"]),
        ("one two   six ten", 12, ["one two", "  six ten"]),  # six letters are half of the room: kept together
        ("one two   six ten", 13, ["one two   six", "  ten"]),  # and here they are more
        ("a b\nc d", 2, ["a", "  b", "c", "  d"]),
        ("do it: ppnsim run a b c", 12, ["do it:", "  ppnsim run a b c"]),
        ("do it:   ppnsim run a b c", 20, ["do it:", "  ppnsim run a b c"]),
        ("it   ppnsim run ab cd", 20, ["it", "  ppnsim run ab cd"]),  # three blanks stay three: 21 columns
        ("it ppnsim run ab cd", 18, ["it", "  ppnsim run ab cd"]), ("it ppnsim run ab cd", 19, ["it ppnsim run ab cd"]),
        ("so it is   ppnsim run ab", 24, ["so it is   ppnsim run ab"]),
        ("so it   is   ppnsim run ab", 25, ["so it   is", "  ppnsim run ab"]),
        ("many words here   ppnsim run a", 28, ["many words here", "  ppnsim run a"]),
        ("many words here ppnsim run a", 27, ["many words here", "  ppnsim run a"]),
        ("set it --depth c=3", 12, ["set it", "  --depth c=3"]),
        ("write #pragma HLS x", 12, ["write", "  #pragma HLS x"]),
        ("the ppnsim program is here", 12, ["the", "  ppnsim program is here"]),
        ("the ppnsim, which is here", 12, ["the ppnsim,", "  which is", "  here"]),
    ],
)  # fmt: skip
def test_a_line_is_broken_between_words_and_never_in_what_is_pasted(text: str, room: int, lines: list[str]) -> None:
    assert folded(text, room).split("\n") == lines


def test_only_a_terminal_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((7, 9)))
    stream = io.StringIO()
    assert told_on(stream, "one two six") == "one two six"
    monkeypatch.setattr(stream, "isatty", lambda: True)
    assert told_on(stream, "one two six") == "one two\n  six"
