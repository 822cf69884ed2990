"""Values of options are those of typer's converters, also where these are left out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import typer
from typer.testing import CliRunner

from ppnsim.cli.options import as_given
from ppnsim.cli.options.groups import OrderedCommand


@pytest.mark.parametrize(
    "line",
    [
        ["a"], ["a", "b\u00e9", "--text", ""], ["a", "--several", "x", "--several", "y z"], ["a", "--count", "3"], [],
        ["a", "--count", "x"], ["a", "--kind", "one"], ["a", "--kind", "three"], ["a", "--place", "p"], ["a\n\udc80"],
        ["a", "--text", "a\tb"], ["a", "--text", "\udc80"], ["a", "--several", "\udc80"], ["a", "--number", "7"],
        ["a", "--no-switch"], ["a", "--text"],
    ],
)  # fmt: skip
def test_values_and_mistakes_are_those_of_typer(monkeypatch: pytest.MonkeyPatch, line: list[str]) -> None:
    def told() -> tuple[list[Any], str, int]:
        values: list[Any] = []

        def command(
            files: Annotated[list[str], typer.Argument()],
            text: Annotated[str | None, typer.Option("--text")] = None,
            several: Annotated[list[str], typer.Option("--several")] = [],  # noqa: B006
            count: Annotated[int | None, typer.Option("--count")] = None,
            number: Annotated[str, typer.Option("--number")] = "5",
            kind: Annotated[Literal["one", "two"] | None, typer.Option("--kind")] = None,
            place: Annotated[Path | None, typer.Option("--place")] = None,
            switch: Annotated[bool, typer.Option("--switch/--no-switch")] = True,
        ) -> None:
            values.extend([files, text, several, count, number, kind, place, switch])

        app = typer.Typer(add_completion=False)
        app.command("only", cls=OrderedCommand)(command)
        outcome = CliRunner().invoke(app, line)
        return values, outcome.output, outcome.exit_code

    ours = told()
    monkeypatch.setattr(as_given._AsGiven, "coerce", lambda self, value, **more: self.made().coerce(value, **more))
    assert told() == ours
