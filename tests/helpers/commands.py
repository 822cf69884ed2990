"""A command given to the command line, in this process."""

from __future__ import annotations

from collections.abc import Callable

from typer.testing import CliRunner, Result

from ppnsim.cli.app import app

Save = Callable[..., str]  # the fixture `save`


def ppnsim(*arguments: str) -> Result:
    """Run a command and return click's result; what it does not catch is raised here."""
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)
