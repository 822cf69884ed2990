"""Older spellings of commands and options: they work for one version more, with a word about the new one."""

from __future__ import annotations

from collections.abc import Sequence

import typer

COMMANDS = {
    "explore": "explore-splits", "dse": "explore-directives", "predict": "estimate", "serve": "report --serve",
}  # fmt: skip
"""New name of a command by its older one, with an option where the command does more."""

_EVERYWHERE = {"--output": "--out"}
_OPTIONS: dict[str, dict[str, str]] = {
    "draw": {"--run": "--simulate"},
    # Without --unsafe-math sums of floating point keep their order, which --no-balance asked for.
    "explore-directives": {"--balance": "--unsafe-math", "--no-balance": ""},
    "memory": {"--sweep": "--vary"},
    "opencl": {"--sweep": "--vary", "--kernel": "--function", "--board": "--device"},
    "roofline": {"--chart": "--plot-quanta"},
    "schedule": {"--gantt": "--plot"},
    "size": {"--write": "--out"},
}
"""New name of an option by its older one, for each command that had it; "" for one that is no longer needed."""


def current_command(name: str) -> list[str]:
    """Return the name that a command has now, and an option with it; say so on standard error if it is another one."""
    if name in COMMANDS:
        _tell(f"'ppnsim {name}'", f"called 'ppnsim {COMMANDS[name]}'")
    return COMMANDS[name].split() if name in COMMANDS else [name]  # a file may have blanks in its name


def current_options(command: str, arguments: Sequence[str]) -> list[str]:
    """Return the arguments of a command with options as they are called now, and say which ones are called otherwise.

    Examples
    --------
    >>> current_options("draw", ["net.toml", "--simulate", "--out=net.svg", ""])
    ['net.toml', '--simulate', '--out=net.svg', '']
    """
    known = _EVERYWHERE | _OPTIONS.get(command, {})
    changed: list[str] = []
    for place, argument in enumerate(arguments):
        if argument == "--":  # what follows are files
            return [*changed, *arguments[place:]]
        name, equals, value = argument.partition("=")
        newer = known.get(name, name)
        if newer != name:
            _tell(name, f"called {newer}" if newer else "what happens without the option")
        if newer or not name:
            changed.append(newer + equals + value)
    return changed


def _tell(older: str, newer: str) -> None:
    typer.echo(f"note: {older} is {newer} now; the older spelling goes with the next version", err=True)
