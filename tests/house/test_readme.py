"""The README works as it is printed: its Python, its TOML, its commands and their answers; it stays short."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import COMMANDS, app
from ppnsim.cli.options.renamed import _OPTIONS
from ppnsim.files import load_network
from tests.helpers.pages import answers, blocks, is_printed

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
STORY = (ROOT / "scenarios" / "guide" / "from_hls.md").read_text(encoding="utf-8")


def test_it_has_at_most_120_lines_and_its_links_lead_to_files() -> None:
    assert len(README.splitlines()) <= 120
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links and [link for link in links if not (ROOT / link).is_file()] == []


def test_python_examples_give_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks(README, "python")), {}, "README.md", "README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_printed_network_is_the_shipped_scenario(tmp_path: Path) -> None:
    path = tmp_path / "fork_join.toml"
    path.write_text(blocks(README, "toml")[0], encoding="utf-8")
    shipped = load_network(ROOT / "scenarios" / "networks" / path.name)
    printed = load_network(path)
    assert (printed.processes, printed.channels) == (shipped.processes, shipped.channels)


def test_commands_named_in_it_exist() -> None:
    named = set(re.findall(r"`ppnsim ([a-z]+)", README))
    assert named and named <= set(COMMANDS)


def test_no_page_has_an_older_spelling_of_an_option() -> None:
    """`--board` of `ppnsim opencl` stood in the guide, and gave a note that it goes with the next version."""
    older = "|".join(sorted({old for options in _OPTIONS.values() for old in options if old != "--run"}))
    pages = [ROOT / "README.md", *(ROOT / "scenarios").rglob("*.md")]
    found = {(each.name, *re.findall(rf"(?<!\w)(?:{older})(?![\w-])", each.read_text("utf-8"))) for each in pages}
    assert len(pages) > 10 and [each for each in found if len(each) > 1] == []


def test_its_commands_print_the_answers_below_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("fork_join.toml").write_text(blocks(README, "toml")[0], encoding="utf-8")
    CliRunner().invoke(app, ["scenarios", "--copy", ".", "subtract_mean.cpp"])
    printed = answers(README)
    assert len(printed) >= 5
    for answer in printed:
        command = answer.command.replace("scenarios/networks/", "")
        shown = CliRunner().invoke(app, shlex.split(command)[1:]).stdout
        for line in answer.lines:
            assert line == "..." or is_printed(line, shown), (command, line)
        last = answer.lines[-1]  # what is left out is marked
        assert last == "..." or is_printed(last, shown.rstrip().splitlines()[-1]), (command, last)


def test_the_story_of_five_minutes_happens_as_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The source is pasted, deadlocks, gets the pragma of the answer, and finishes; `size` finds the same."""
    monkeypatch.chdir(tmp_path)
    (source,) = blocks(STORY, "cpp")
    file = tmp_path / "subtract_mean.cpp"
    file.write_text(source, encoding="utf-8")
    assert (ROOT / "scenarios" / "hls" / file.name).read_text(encoding="utf-8").endswith(source)
    first, second = (block.strip().split(" && ") for block in blocks(STORY, "sh")[:2])
    stuck, done = (answer.lines for answer in answers(STORY))

    shown = CliRunner().invoke(app, shlex.split(first[0])[1:])
    assert shown.exit_code == 3
    for line in stuck:
        assert line == "..." or is_printed(line, shown.stdout), line
    pragma, _, place = shown.stdout.strip().splitlines()[-1].strip().rpartition("   ")
    lines, after = source.splitlines(), int(place.rpartition(":")[2])
    file.write_text("\n".join([*lines[:after], pragma, *lines[after:]]), encoding="utf-8")
    shown = CliRunner().invoke(app, shlex.split(first[0])[1:])
    assert shown.exit_code == 0
    assert is_printed(done[0], shown.stdout)

    file.write_text(source, encoding="utf-8")
    for command in second:
        shown = CliRunner().invoke(app, shlex.split(command)[1:])
        assert shown.exit_code == 0
    assert is_printed(done[0], shown.stdout)
