"""Groups of options: a parameter that is a dataclass stands for one option per field, and arrives as one object.

A group is a frozen dataclass whose fields are annotated as typer's parameters are. A default object of the parameter
replaces the defaults of the fields; `Without` leaves fields out, `Help` words them for one command.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import copy
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from typer.core import TyperCommand

GIVEN = "ppnsim.given"
"""Where a command's context keeps the names of the options that were given, in the order of the command line."""


class OrderedCommand(TyperCommand):
    """A command that remembers in which order its options were given; of several of a kind each counts."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse once more, only to learn the order, which is not kept otherwise."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        ctx.meta[GIVEN] = [parameter.name for parameter in given]
        return super().parse_args(ctx, args)


class Without:
    """A command does not have these options of a group."""

    def __init__(self, *names: str) -> None:
        self.names = names


class Help:
    """What a command says of options of a group."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that takes the options of its groups one by one, as typer wants them.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Size:
    ...     width: int = 1
    ...     height: int = 1
    >>> def area(size: Annotated[Size, Without("height")] = Size(height=3)) -> None:
    ...     print(size.width * size.height)
    >>> str(inspect.signature(spread(area)))
    '(*, width: int = 1) -> None'
    >>> spread(area)(width=5)
    15
    """
    signature = inspect.signature(command, eval_str=True)
    groups: dict[str, tuple[type, dict[str, Any]]] = {}
    options: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        group, *notes = get_args(parameter.annotation) or (parameter.annotation,)
        if get_origin(parameter.annotation) not in (None, Annotated) or not is_dataclass(group):
            options.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        assert isinstance(group, type)
        defaults = {each.name: _default(each, parameter.default) for each in fields(group)}
        groups[parameter.name] = group, defaults
        left_out = {name for note in notes if isinstance(note, Without) for name in note.names}
        texts = {name: text for note in notes if isinstance(note, Help) for name, text in note.texts.items()}
        hints = get_type_hints(group, include_extras=True)
        options += [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=_worded(hints[name], texts.get(name))
            )
            for name, default in defaults.items()
            if name not in left_out
        ]  # fmt: skip

    def called(**values: Any) -> None:
        objects = {
            name: group(**{each: values.pop(each, default) for each, default in defaults.items()})
            for name, (group, defaults) in groups.items()
        }
        command(**values, **objects)

    called.__name__, called.__doc__ = command.__name__, command.__doc__
    called.__annotations__ = {each.name: each.annotation for each in options}
    called.__signature__ = signature.replace(parameters=options)  # type: ignore[attr-defined]
    return called


def _default(field: Field[Any], given: object) -> Any:
    """Return the default of an option: that of the command, else that of the group."""
    if given is not inspect.Parameter.empty:
        return getattr(given, field.name)
    if field.default_factory is not MISSING:
        return field.default_factory()
    return inspect.Parameter.empty if field.default is MISSING else field.default


def _worded(annotation: Any, text: str | None) -> Any:
    """Return the annotation of an option with another help text, if there is one."""
    if text is None:
        return annotation
    kind, option = get_args(annotation)
    option = copy(option)
    option.help = text
    return Annotated[kind, option]


def flowing(text: str) -> str:
    r"""Return a docstring whose paragraphs are lines of any length, for the terminal to break; indented lines stay.

    Examples
    --------
    >>> print(flowing("Run it\nnow.\n\n  a  b\n  c  d"))
    Run it now.
    <BLANKLINE>
      a  b
      c  d
    """
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(each if each.startswith(" ") else each.replace("\n", " ") for each in paragraphs)
