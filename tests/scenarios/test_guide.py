"""The pages of the guide work as they are printed: their networks, their Python, their commands and answers."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from dataclasses import astuple
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ppnsim.boards.files import load_board
from ppnsim.cli.app import COMMANDS, app
from ppnsim.engines.run import run
from ppnsim.files import load_network
from ppnsim.model.styles import HARDWARE
from tests.helpers.pages import Answer, answers, blocks, is_printed

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "scenarios" / "guide"
PAGES = {page.name: page.read_text(encoding="utf-8") for page in sorted(FOLDER.iterdir())}


def test_every_page_is_listed_and_every_link_leads_to_a_file() -> None:
    assert set(PAGES) == {"README.md", *re.findall(r"\]\((\w+\.md)\)", PAGES["README.md"])}
    links = [(name, link) for name, page in PAGES.items() for link in re.findall(r"\]\(([^)#]+)\)", page)]
    assert [each for each in links if not (FOLDER / each[1]).is_file()] == []


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if blocks(page, "python")])
def test_python_gives_what_is_printed(name: str) -> None:
    test = doctest.DocTestParser().get_doctest("\n".join(blocks(PAGES[name], "python")), {}, name, name, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


RECIPES = {answer.lines[0].split("   ")[0]: answer for answer in answers(PAGES["recipes.md"])}


@pytest.mark.parametrize("name", RECIPES)
def test_recipes_give_the_answers_below_them(name: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(RECIPES[name].toml, encoding="utf-8")
    shown = CliRunner().invoke(app, ["run", str(path)]).stdout
    assert is_printed(RECIPES[name].lines[0], shown)


CHECKED = [answer for name in ("compare.md", "styles.md") for answer in answers(PAGES[name])]


@pytest.mark.parametrize("answer", CHECKED, ids=lambda answer: answer.command[:60])
def test_commands_print_the_answers_below_them(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    shown = CliRunner().invoke(app, shlex.split(answer.command)[1:]).stdout
    assert [line for line in answer.lines if line != "..." and not is_printed(line, shown)] == []


FORMS = dict(zip(blocks(PAGES["hls_forms.md"], "cpp"), answers(PAGES["hls_forms.md"]), strict=True))


@pytest.mark.parametrize("source", FORMS, ids=lambda source: FORMS[source].command)
def test_sources_of_forms_give_the_answers_below_them(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = shlex.split(FORMS[source].command)
    Path(words[-1]).write_text(source, encoding="utf-8")
    shown = CliRunner().invoke(app, words[1:]).stdout
    assert [line for line in FORMS[source].lines if line != "..." and not is_printed(line, shown)] == []


def test_the_names_of_devices_are_those_of_the_tables() -> None:
    rows = re.findall(r"\| (`[^|]+) \| (`[^|]+?)(?: \(the default\))? \|", PAGES["hls_forms.md"])
    named = [[re.findall(r"`([^`]+)`", cell) for cell in row] for row in rows]
    found = [{load_board(word).name for word in words} == set(tables) for words, tables in named]
    assert (len(found), all(found)) == (13, True), [row for row, same in zip(rows, found, strict=True) if not same]


def test_the_page_of_styles_is_the_table() -> None:
    cells = [(f"`{each.name}`", *astuple(each)[1:4], each.assumed or "-", each.source) for each in HARDWARE]
    assert [row for row in cells if f"| {' | '.join(row)} |" not in PAGES["styles.md"]] == []


def test_the_network_json_runs(tmp_path: Path) -> None:
    path = tmp_path / "network.json"
    path.write_text(blocks(PAGES["network_json.md"], "json")[0], encoding="utf-8")
    assert run(load_network(path)).finish is not None


def test_the_messages_run_as_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No page had a whole file: who wrote one guessed its rows, and whether a time has a unit."""
    monkeypatch.chdir(tmp_path)
    Path("messages.json").write_text(blocks(PAGES["platforms.md"], "json")[0], encoding="utf-8")
    shown = CliRunner().invoke(app, ["run", "messages.json"]).stdout
    (answer,) = blocks(PAGES["platforms.md"], "")
    assert is_printed(answer.strip(), shown)


def test_the_keys_of_a_result_are_in_the_reference() -> None:
    file = str(ROOT / "scenarios" / "networks" / "predictor.toml")
    answer = json.loads(CliRunner().invoke(app, ["run", file, "--json", "-"]).stdout)
    told = PAGES["network_json.md"].partition("## The result of `run`")[2]
    for key in ("file", "finish", "time_ns", "engine", "deadlock", *answer["processes"]["sink"]):
        assert f"`{key}`" in told, key


def test_commands_named_in_the_guide_exist() -> None:
    named = {name for page in PAGES.values() for name in re.findall(r"ppnsim (?:\w+=\S+ )?([a-z]+)(?= |`)", page)}
    prose = {"is", "and"}
    assert named - prose - set(COMMANDS) == set()
