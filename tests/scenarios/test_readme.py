"""The README of the scenarios: it lists every file with its first sentence, and shows pictures that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.formats.shipped import Scenario, shipped

FOLDER = Path(__file__).parents[2] / "scenarios"
README = (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("scenario", [each for kind in shipped().values() for each in kind], ids=lambda each: each.name)
def test_every_scenario_is_listed_with_its_first_sentence(scenario: Scenario) -> None:
    place = scenario.path.relative_to(FOLDER)
    assert f"| [`{scenario.path.name}`]({place}) | {scenario.title.rstrip('.')} |" in README


def test_every_link_leads_to_a_file_and_every_picture_is_shown_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert [link for link in links if not (FOLDER / link).is_file()] == []
    pages = [FOLDER.parent / "README.md", *(FOLDER / "guide").glob("*.md")]
    everywhere = README + "".join(page.read_text(encoding="utf-8") for page in pages)
    assert [picture.name for picture in (FOLDER / "pictures").iterdir() if picture.name not in everywhere] == []


@pytest.mark.parametrize(
    "folder", [place.name for place in FOLDER.iterdir() if place.is_dir() and place.name not in ("pictures", "guide")]
)
def test_every_folder_has_a_picture_and_the_command_that_draws_it(folder: str) -> None:
    (section,) = [text for text in README.split("\n## ") if f"]({folder}/" in text and "|---" in text]
    assert "](pictures/" in section
    assert "```sh\nppnsim " in section


PICTURES = [
    drawn
    for page in (FOLDER / "README.md", *(FOLDER / "guide").glob("*.md"))
    for drawn in re.findall(
        r"\]\([./]*(pictures/[^)]+)\)\n\n```sh\n(ppnsim .+)\n```", page.read_text(encoding="utf-8"), re.MULTILINE
    )
]


@pytest.mark.parametrize(
    ("picture", "command"),
    [pytest.param(*each, marks=pytest.mark.slow if " sweep " in each[1] else (), id=each[0]) for each in PICTURES],
)
def test_the_command_below_a_picture_draws_it(
    picture: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, _, result = command.removeprefix("ppnsim ").partition("#")
    words = [word.strip('"') for word in re.findall(r'"[^"]+"|\S+', asked)]
    words = [str(FOLDER.parent / word) if word.startswith("scenarios/") else word for word in words]
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, words).exit_code == 0
    now, stored = (tmp_path / (result.strip() or words[-1])), FOLDER / picture
    assert texts(now) == texts(stored), f"no longer what '{command}' draws"
    (many, before), (more, after) = lines(stored), lines(now)
    assert more == many, f"no longer what '{command}' draws"
    # Other versions of matplotlib lay a picture out a little differently.
    moved = max(abs(one - other) for one, other in zip(before, after, strict=True))
    assert moved < 2, f"no longer what '{command}' draws"


def test_every_picture_has_its_command() -> None:
    assert {picture for picture, _ in PICTURES} == {f"pictures/{each.name}" for each in FOLDER.glob("pictures/*")}


def texts(svg: Path) -> list[str]:
    """Return what is written in a picture, of which matplotlib leaves a comment beside each drawing of it."""
    return re.findall(r"<!--(.*?)-->", svg.read_text(encoding="utf-8"), re.DOTALL)


def lines(svg: Path) -> tuple[int, list[float]]:
    """Return how many lines and areas a picture has, and their coordinates in points; letters are not among them."""
    drawn = re.findall(r'<path d="([^"]*)"', svg.read_text(encoding="utf-8"))
    return len(drawn), [float(number) for each in drawn for number in re.findall(r"-?\d+\.?\d*", each)]
