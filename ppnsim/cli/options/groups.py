"""Groups of options: a parameter that is a dataclass stands for one option per field, and arrives as one object.

A group is a frozen dataclass whose fields are annotated as typer's parameters are, or are groups themselves. A default
object of the parameter replaces the defaults of the fields; `Without` leaves fields or whole groups out, `Help` words
them for one command, and `Panel` gives the options of a group a heading of their own in the help.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from ppnsim.cli.options.as_given import take_as_given
from ppnsim.cli.options.elsewhere import name_others
from ppnsim.cli.options.help import HelpfulCommand
from ppnsim.cli.options.needed import check_named, check_needed, check_values, check_varied
from ppnsim.cli.options.refused import refused
from ppnsim.cli.options.renamed import current_options

GIVEN = "ppnsim.given"
"""Where a command's context keeps the names of the options that were given, in the order of the command line."""


class OrderedCommand(HelpfulCommand):
    """A command that remembers in which order its options were given; of several of a kind each counts."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse once more, only to learn the order, which is not kept otherwise, and what would change nothing."""
        args = current_options(self.name or "", args)
        try:
            values, _, given = self.make_parser(ctx).parse_args(args=list(args))
        except Exception as error:
            if type(error).__name__ == "NoSuchOption":  # click's, which typer may bring along under a name of its own
                name_others(error, self.name or "")
            raise
        ctx.meta[GIVEN] = [parameter.name for parameter in given]
        options = [each for each in given if each.param_type_name == "option"]
        spelled = [_spelled(each, values[each.name]) for each in options]
        if not ctx.resilient_parsing:
            check_values([(max(each.opts, key=len), values[each.name]) for each in options if _takes_one(each)])
            repeated = {max(each.opts, key=len): values[each.name] for each in options if each.multiple}
            for option, several in repeated.items():
                check_named(option, several)
            check_varied(self.name or "", repeated, values.get("depths"))
        take_as_given(self.get_params(ctx))
        try:
            rest = super().parse_args(ctx, args)
        except Exception as error:
            if (words := refused(error, values)) is not None:
                raise words from None
            raise
        if not ctx.resilient_parsing:
            check_needed(self.name or "", spelled)
        return rest


def _spelled(option: Any, value: Any) -> str:
    """Return the long name of an option with its value: ``--no-open``, not ``--open``, where that was given."""
    names: list[str] = option.secondary_opts if value is False and option.secondary_opts else option.opts
    return max(names, key=len)


def _takes_one(option: Any) -> bool:
    """Return whether an option has one value: it is no switch, and of several the last would count."""
    return not option.is_flag and not option.multiple


class Without:
    """A command does not have these options of a group."""

    def __init__(self, *names: str) -> None:
        self.names = names


class Help:
    """What a command says of options of a group."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts


class Panel:
    """The heading under which the help lists the options of a group."""

    def __init__(self, title: str) -> None:
        self.title = title


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
    groups: dict[str, _Group] = {}
    options: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        group = _group_of(parameter.annotation, parameter.default)
        if group is None:
            options.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
        else:
            groups[parameter.name] = group
            options += group.options()

    def called(**values: Any) -> None:
        objects = {name: group.filled(values) for name, group in groups.items()}
        command(**values, **objects)

    called.__name__, called.__doc__ = command.__name__, command.__doc__
    called.__annotations__ = {each.name: each.annotation for each in options}
    called.__signature__ = signature.replace(parameters=options)  # type: ignore[attr-defined]
    return called


@dataclass(frozen=True, slots=True)
class _Group:
    """A group in a command: its class, the defaults of its fields, and the groups among them."""

    made: type
    defaults: Mapping[str, Any]
    inner: Mapping[str, _Group]
    left_out: frozenset[str]
    texts: Mapping[str, str]
    panel: str | None

    def options(self) -> Iterator[inspect.Parameter]:
        """Yield the options of the fields, and of the groups among them, in their order."""
        hints = get_type_hints(self.made, include_extras=True)
        for name, default in self.defaults.items():
            if name in self.left_out:
                continue
            if name in self.inner:
                yield from self.inner[name].options()
                continue
            worded = _worded(hints[name], self.texts.get(name), self.panel)
            yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=worded)

    def filled(self, values: dict[str, Any]) -> Any:
        """Return the object of the group, and remove the values of its fields from those of the command line."""
        given = {
            name: default if name in self.left_out
            else self.inner[name].filled(values) if name in self.inner
            else values.pop(name, default)
            for name, default in self.defaults.items()
        }  # fmt: skip
        return self.made(**given)


def _group_of(annotation: Any, default: object, outer: Sequence[object] = ()) -> _Group | None:
    """Return the group that an annotation stands for, None for an option; ``outer`` notes hold for the group, too."""
    made, *notes = get_args(annotation) or (annotation,)
    if get_origin(annotation) not in (None, Annotated) or not is_dataclass(made):
        return None
    assert isinstance(made, type)
    every = [*notes, *outer]
    defaults = {each.name: _default(each, default) for each in fields(made)}
    hints = get_type_hints(made, include_extras=True)
    found = {name: _group_of(hints[name], each, every) for name, each in defaults.items()}
    return _Group(
        made, defaults, {name: group for name, group in found.items() if group is not None},
        frozenset(name for note in every if isinstance(note, Without) for name in note.names),
        {name: text for note in every if isinstance(note, Help) for name, text in note.texts.items()},
        next((note.title for note in every if isinstance(note, Panel)), None),
    )  # fmt: skip


def _default(field: Field[Any], given: object) -> Any:
    """Return the default of an option: that of the command, else that of the group."""
    if given is not inspect.Parameter.empty:
        return getattr(given, field.name)
    if field.default_factory is not MISSING:
        return field.default_factory()
    return inspect.Parameter.empty if field.default is MISSING else field.default


def _worded(annotation: Any, text: str | None, panel: str | None) -> Any:
    """Return the annotation of an option with another help text, and in a panel, if there are any."""
    if text is None and panel is None:
        return annotation
    kind, option = get_args(annotation)
    option = copy(option)
    option.help = text or option.help
    option.rich_help_panel = panel or option.rich_help_panel
    return Annotated[kind, option]
