"""Options that act only beside another one, or against it: otherwise they are refused by name, never ignored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib import import_module

import typer

from ppnsim.errors import InputError

_EVERYWHERE: dict[str, tuple[str, ...]] = {"--time-limit": ("--testbench",)}
NEEDED: dict[str, dict[str, tuple[str, ...]]] = {
    "run": {"--pictures": ("--out", "--plot"), "--window": ("--out", "--plot")},
    "report": {"--port": ("--serve",), "--open": ("--serve",), "--no-open": ("--serve",)},
    "draw": {"--convention": ("--simulate",)},
    "sweep": {"--seed": ("--samples",)},
    "estimate": {"--depth": ("--simulate",), "--depths": ("--simulate",)},
    "schedule": {"--loop": ("--plot",), "--window": ("--plot",)},
    "explore-directives": {"--most": ("--exhaustive",)},
    "memory": {"--requests": ("--vary", "--simulate")},
    "scenarios": {"--force": ("--copy",)},
}
"""By command and option: one of these has to be given, too, or the option would change nothing."""

AGAINST: dict[str, dict[str, str]] = {
    "run": {"--self-check": "--no-fast-forward"},
    "sweep": {"--jobs": "--dask"},
    "compare": {"--tolerance": "--no-simulate"},
    "schedule": {"--loop": "--window"},
}
"""By command and option: beside this one the option would change nothing."""
_NAMED = ("--depth", "--initial", "--latency", "--ii", "--set", "-D")
"""Options of a value for each name: a second value for a name would hide the first."""
_PLACES = frozenset(
    "--out --json --csv --plot --copy --trace --testbench --reports --timing --depths --start --memories".split()  # noqa: SIM905
)


def check_needed(command: str, given: Collection[str]) -> None:
    """Raise `InputError` for the first option that changes nothing beside, or without, the others that are given.

    Examples
    --------
    >>> check_needed("scenarios", ["--copy", "--force"])
    >>> check_needed("scenarios", ["--force"])
    Traceback (most recent call last):
    ppnsim.errors.InputError: --force: changes nothing without --copy
    >>> check_needed("sweep", ["--dask", "--jobs"])
    Traceback (most recent call last):
    ppnsim.errors.InputError: --jobs: changes nothing beside --dask: leave one of the two out
    """
    needed = _EVERYWHERE | NEEDED.get(command, {})
    for option in given:
        others = needed.get(option, ())
        if others and not set(others) & set(given):
            raise InputError(f"changes nothing without {' or '.join(others)}", where=option)
        against = AGAINST.get(command, {}).get(option)
        if against in given:
            raise InputError(f"changes nothing beside {against}: leave one of the two out", where=option)


def check_values(given: Sequence[tuple[str, object]]) -> None:
    """Raise `InputError` for the first option of one value that is given twice, or whose place is empty.

    Examples
    --------
    >>> check_values([("--json", "b.json"), ("--json", "b.json")])
    Traceback (most recent call last):
    ppnsim.errors.InputError: --json: is given twice, and only 'b.json' would count
    """
    names = [option for option, _ in given]
    for option, value in given:
        if names.count(option) > 1:
            raise InputError(f"is given twice, and only '{value}' would count", where=option)
        if value == "" and option in _PLACES:
            raise InputError("'' names no place (is a variable of the shell empty?)", where=option)


def check_varied(command: str, given: Mapping[str, Sequence[str]], depths: str | None = None) -> None:
    """Tell the error stream of values that ``--vary`` replaces; ``given`` are those of options that may be repeated.

    ``depths`` is the file of ``--depths``. Sizes that ``lost`` learns from are given twice on purpose.
    """
    varied = [each.partition("=")[0].strip() for each in given.get("--vary", ())] if command != "lost" else []
    tokens = (
        f"{each.rpartition('=')[0]}.{what}"
        for what in ("depth", "initial") for each in given.get(f"--{what}", ()) if "=" in each
    )  # fmt: skip
    sizes = (each.partition("=")[0] for option in ("-D", "--set") for each in given.get(option, ()))
    sized = import_module("ppnsim.cli.options.depths").depths_in(depths) if varied and depths else ()
    for name in (*tokens, *(f"{each}.depth" for each in sized), *sizes):
        if name in varied:
            typer.echo(
                f"note: --vary gives {name} its values; the one that is given beside it does not count", err=True
            )


def check_named(option: str, values: Sequence[str]) -> None:
    """Raise `InputError` if an option that may be repeated for other names has two values for one of them.

    Examples
    --------
    >>> check_named("--depth", ["c=3", "d=3", "5"])
    >>> check_named("--depth", ["c=3", "c=30"])
    Traceback (most recent call last):
    ppnsim.errors.InputError: --depth: 'c=3' and 'c=30' are two values for 'c', of which one would count: give one
    """
    known: dict[str, str] = {}
    for value in values if option in _NAMED else ():
        # A name of a channel may hold "=", the value of a macro as well.
        before, equals, _ = value.partition("=") if option in ("-D", "--set") else value.rpartition("=")
        name = before if equals or option == "-D" else ""
        if name in known:
            whose = f"'{name}'" if name else "all"
            words = f"'{known[name]}' and '{value}' are two values for {whose}, of which one would count: give one"
            raise InputError(words, where=option)
        known[name] = value
