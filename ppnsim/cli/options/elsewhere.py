"""An option that a command does not have, but others do: the error names them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_NAMED = 4


def name_others(error: Any, command: str) -> None:
    """Add to the message of an unknown option (click's ``NoSuchOption``) the commands that have it.

    All commands are imported for that, which takes two seconds, and happens after a mistake alone.
    """
    app = import_module("ppnsim.cli.app")
    option = error.option_name
    having = [
        name
        for name in app.COMMANDS
        if name != command and any(option in each.opts for each in app.command_called(name).params)
    ]
    if having:
        more = f" and {len(having) - _NAMED} more" if len(having) > _NAMED else ""
        verb = "has" if len(having) == 1 else "have"
        error.message += f" for 'ppnsim {command}'; ppnsim {', '.join(having[:_NAMED])}{more} {verb} it"
