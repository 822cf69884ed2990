"""The README works as it is printed: its Python, its TOML, its JSON, its commands."""

import doctest
import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.engines.run import run
from ppnsim.files import load_network

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of the README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def test_python_examples_give_what_is_printed() -> None:
    source = "\n".join(blocks("python"))
    test = doctest.DocTestParser().get_doctest(source, {}, "README.md", "README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_scenario_and_the_python_network_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "fork_join.toml"
    path.write_text(blocks("toml")[0], encoding="utf-8")
    # The figure in the README's Python example of the same network.
    assert run(load_network(path)).finish == 11343


def test_the_network_json_runs(tmp_path: Path) -> None:
    path = tmp_path / "network.json"
    path.write_text(blocks("json")[0], encoding="utf-8")
    assert run(load_network(path)).finish is not None


def test_the_commands_in_the_table_exist() -> None:
    for name in re.findall(r"^\| `ppnsim (\w+)", README, re.MULTILINE):
        assert CliRunner().invoke(app, [name, "--help"]).exit_code == 0, name


def test_the_first_command_prints_the_answer_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    last = blocks("sh")[0].rsplit("&&", 1)[1]
    monkeypatch.chdir(ROOT)
    shown = CliRunner().invoke(app, shlex.split(last)[1:]).stdout
    printed = re.search(r"^```\n(predictor .*?)^```$", README, re.DOTALL | re.MULTILINE)
    assert printed is not None
    first, *_, bottleneck = printed[1].strip().splitlines()
    assert first.rsplit("   ", 1)[0] in shown
    assert bottleneck in shown


def test_the_story_of_five_minutes_happens_as_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The source is pasted, deadlocks, gets the pragma of the answer, and finishes; `size` finds the same."""
    monkeypatch.chdir(tmp_path)
    (source,) = blocks("cpp")
    file = tmp_path / "subtract_mean.cpp"
    file.write_text(source, encoding="utf-8")
    assert (ROOT / "scenarios" / "hls" / file.name).read_text(encoding="utf-8").endswith(source)
    first, second = (block.strip().split(" && ") for block in blocks("sh") if file.name in block)
    story = README[README.index("five minutes") : README.index("## Describe")]
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", story, re.DOTALL | re.MULTILINE)
    stuck, done = (text for language, text in fenced if not language)

    shown = CliRunner().invoke(app, shlex.split(first[0])[1:])
    assert shown.exit_code == 3
    answer = [line.rstrip() for line in shown.stdout.splitlines()]
    for line in stuck.strip().splitlines():
        timeless = line.rpartition("   ")[0] if line.endswith(" s") else line
        assert line == "..." or any(each.startswith(timeless) for each in answer), line

    pragma = answer[-1].split("   ")[0].strip()
    lines = source.splitlines()
    place = int(answer[-1].rpartition(":")[2])
    file.write_text("\n".join([*lines[:place], pragma, *lines[place:]]), encoding="utf-8")
    shown = CliRunner().invoke(app, shlex.split(first[0])[1:])
    assert shown.exit_code == 0
    assert shown.stdout.startswith(done.rpartition("   ")[0])

    file.write_text(source, encoding="utf-8")
    for command in second:
        shown = CliRunner().invoke(app, shlex.split(command)[1:])
        assert shown.exit_code == 0
    assert shown.stdout.startswith(done.rpartition("   ")[0])


def test_the_json_keys_named_in_the_readme_are_those_of_a_result() -> None:
    answer = json.loads(
        CliRunner().invoke(app, ["run", str(ROOT / "scenarios/networks/predictor.toml"), "--json", "-"]).stdout
    )
    told = README[README.index("The result of `run`") :].split("##")[0]
    for key in ("file", "finish", "time_ns", "engine", "deadlock", *answer["processes"]["sink"]):
        assert f"`{key}`" in told, key
