"""Every command of the list tells what is recorded, word for word and artist for artist."""

import pytest

from tests.golden.edits import edits, told_of_edits
from tests.golden.figures import figures, told_figure
from tests.golden.records import records
from tests.golden.snippets import snippets, told_of
from tests.golden.told import TOLD, answers, commands, differences, told


@pytest.mark.parametrize("name", commands())
def test_a_command_tells_what_is_recorded(name: str) -> None:
    before = (TOLD / f"{name}.txt").read_text(encoding="utf-8")
    assert differences(before, told(commands()[name])) == [], "if it is meant: python -m tests.golden"


def test_nothing_is_recorded_of_commands_that_are_gone() -> None:
    names = {*commands(), *answers(), *snippets(), *figures(), *edits(), *records()}
    assert {path.stem for path in TOLD.glob("*.txt")} == names


@pytest.mark.parametrize("kind", snippets())
def test_of_each_short_source_is_said_what_is_recorded(kind: str) -> None:
    before = (TOLD / f"{kind}.txt").read_text(encoding="utf-8")
    assert differences(before, told_of(kind)) == [], "if it is meant: python -m tests.golden"


@pytest.mark.parametrize("name", edits())
def test_of_each_edit_of_a_file_is_said_what_is_recorded(name: str) -> None:
    before = (TOLD / f"{name}.txt").read_text(encoding="utf-8")
    assert differences(before, told_of_edits(name)) == [], "if it is meant: python -m tests.golden"


def test_no_two_records_have_one_name() -> None:
    names = [*commands(), *answers(), *snippets(), *figures(), *edits(), *records()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", figures())
def test_a_picture_has_the_artists_that_are_recorded(name: str) -> None:
    before = (TOLD / f"{name}.txt").read_text(encoding="utf-8")
    assert differences(before, told_figure(name)) == [], "if it is meant: python -m tests.golden"
