"""A command that an answer names: with the options of the one that was given, so that it runs as it is pasted."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from shlex import join
from typing import Any, get_args, get_type_hints


def command_line(command: str, file: str, options: Any, *, without: Collection[str] = ()) -> str:
    """Return a command on a file with the options of a group (`ppnsim.cli.options.groups`) that were given.

    ``without`` are fields that the command does not have.

    Examples
    --------
    >>> from ppnsim.cli.options.network import NetworkOptions
    >>> options = NetworkOptions(style="frozen", depth=["c=4", "2"])
    >>> command_line("run", "my net.toml", options), command_line("size", "a.toml", options, without=["depth"])
    ("ppnsim run 'my net.toml' --style frozen --depth c=4 --depth 2", 'ppnsim size a.toml --style frozen')
    """
    return join(["ppnsim", command, file, *spelled(options, without)])


def spelled(options: Any, without: Collection[str] = ()) -> Iterator[str]:
    """Yield the options of a group, and of the groups in it, as a command line has them; defaults are left out."""
    hints = get_type_hints(type(options), include_extras=True)
    for each in fields(options):
        value = getattr(options, each.name)
        if is_dataclass(value):
            yield from spelled(value, without)
        elif each.name not in without and value != _default(each):
            name = _name(each.name, hints[each.name])
            for given in value if isinstance(value, list) else [value]:
                yield from [name] if given is True else [name, str(given)]


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _name(field: str, annotation: Any) -> str:
    options = [each for each in get_args(annotation)[1:] if hasattr(each, "param_decls")]
    # Until typer has read an annotation, the first of its names stands where a default would.
    names = [name for each in options for name in (each.default, *(each.param_decls or ())) if isinstance(name, str)]
    return max(names, key=len).partition("/")[0] if names else f"--{field.replace('_', '-')}"
