"""The page of public names with a sentence each; ``python -m ppnsim.library.names`` prints it."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from ppnsim.library.answer import Answer
from ppnsim.methods import NetworkMethods, RunMethods, TimelineMethods

GROUPS = {
    "Functions": "library",
    "Files": "files",
    "Networks": "model",
    "Theory": "library.theory",
    "Errors": "errors",
}
"""Headings, and where the names below each have their home."""
METHODS: dict[str, type] = {
    "Methods of a network": NetworkMethods,
    "Methods of a run": RunMethods,
    "Methods of a timeline": TimelineMethods,
    "Methods of every answer": Answer,
}
_HEAD = """# Python

A function for each command, with the same words; `network.size()` is `ppnsim.size(network)`. Functions take a path or
an object: `ppnsim.run("net.toml")`, `ppnsim.run(network)`. Answers print as the command does, `to_dict()` is its JSON,
`to_frame()` its main table as a data frame, `figure()` its picture; Jupyter shows all of them. A network that deadlocks
raises `DeadlockError`, whose `error.run` is the run up to there; `run(on_deadlock="return")` returns that run instead.

```python
import ppnsim

network = ppnsim.load(ppnsim.scenarios()["fork_join"])
run = network.run()
run.to_frame()  # processes; "channels", "firings", "states", "occupancy"
run.gantt(window=(0, 300)).save("gantt.svg")
run.save("result")  # tables and a page that plays, as `ppnsim run --out`
network.sweep({"short_in.depth": range(1, 13)}).to_frame()
network.size().network.save("sized.toml")  # the same network with the smallest depths without loss

parts = [ppnsim.Process(name="split", firings=20), ppnsim.Process(name="long", firings=20, latency=12)]
fifos = [ppnsim.Channel(name="long_in", from_="split", to="long", depth=2)]
ppnsim.Network(processes=parts, channels=fifos, clock="200 MHz").run().finish
```

This page is made from the docstrings: `python -m ppnsim.library.names > ppnsim/PYTHON.md`.
"""


def page(homes: dict[str, str]) -> str:
    """Return the page of the public names, which are given with the module that each comes from."""
    parts, rooms = [_HEAD], GROUPS.values()
    for title, room in GROUPS.items():
        names = [name for name, home in homes.items() if (home if home in rooms else home.split(".")[0]) == room]
        found = {name: getattr(import_module(f"ppnsim.{homes[name]}"), name) for name in names}
        parts.append(_table(title, found))
    for title, owner in METHODS.items():
        named = {name: getattr(owner, name) for name in vars(owner) if not name.startswith("_")}
        parts.append(_table(title, named))
    return "\n".join(parts)


def sentence_of(thing: Any) -> str:
    """Return the first sentence of a docstring.

    Examples
    --------
    >>> sentence_of(sentence_of)
    'Return the first sentence of a docstring.'
    """
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())


def _table(title: str, named: dict[str, Any]) -> str:
    return "\n".join([f"## {title}\n", "| name | |", "|---|---|", *_rows(named)]) + "\n"


def _rows(named: dict[str, Any]) -> Iterator[str]:
    for name, thing in sorted(named.items(), key=lambda each: each[0].lower()):
        yield f"| `{name}` | {sentence_of(thing)} |"


if __name__ == "__main__":
    sys.stdout.write(page(vars(sys.modules["ppnsim"])["_HOMES"]))
