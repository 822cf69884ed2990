"""An option that a command does not have, but others do: the error names them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_NAMED = 4
_INSTEAD = {
    ("run", "--csv"): "--out DIR writes its tables, --json all of them",
    ("size", "--depth"): "the depths in a file do not matter to it; --limit CHANNEL=LOW:HIGH bounds what it finds",
}
"""By command and option: what has the same purpose here."""
_PLACES = {"--csv": "tables", "--json": "results", "--plot": "the picture"}


def name_others(error: Any, command: str) -> None:
    """Add to the message of an unknown option (click's ``NoSuchOption``) the commands that have it.

    All commands are imported for that, which takes two seconds, and happens after a mistake alone.
    """
    app = import_module("ppnsim.cli.app")
    option = error.option_name
    if instead := _INSTEAD.get((command, option)) or _here(app, command, option):
        error.message += f" for 'ppnsim {command}': {instead}"
        return
    having = [
        name
        for name in app.COMMANDS
        if name != command and any(option in each.opts for each in app.command_called(name).params)
    ]
    if having:
        more = f" and {len(having) - _NAMED} more" if len(having) > _NAMED else ""
        verb = "has" if len(having) == 1 else "have"
        error.message += f" for 'ppnsim {command}'; ppnsim {', '.join(having[:_NAMED])}{more} {verb} it"


def _here(app: Any, command: str, option: str) -> str:
    """Return where a command without ``--out`` writes what, and how it calls the top function of synthesis tools."""
    if option not in ("-o", "--out", "--top"):
        return ""
    known = {name for each in app.command_called(command).params for name in each.opts}
    if option == "--top":
        return "--function NAME is the top function of a source" if "--function" in known else ""
    return ", ".join(f"{place} writes {what}" for place, what in _PLACES.items() if place in known)
