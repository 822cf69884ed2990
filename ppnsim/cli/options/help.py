"""How help reads: usage as typed, options under headings, lines that fill the terminal, examples that stay lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.core import TyperCommand

WIDEST = 120
"""Columns that help takes at most: longer lines are hard to read."""


class HelpfulCommand(TyperCommand):
    """A command whose help names arguments as they are typed (``FILE...``) and groups options by their panels."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return ``[OPTIONS] FILE...``: the arguments by their own names, without brackets around."""
        arguments = [each.metavar or each.name for each in self.get_params(ctx) if each.param_type_name == "argument"]
        return [self.options_metavar or "", *arguments]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, options and each panel of options as lists of their own."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for each in self.get_params(ctx):
            if each.param_type_name == "argument":
                sections.setdefault("Arguments", []).append((each.metavar or each.name, getattr(each, "help", "")))
            elif (record := each.get_help_record(ctx)) is not None:
                # The panels of groups stand behind the command's own options, whatever their place in its signature.
                sections.setdefault(getattr(each, "rich_help_panel", None) or "Options", []).append(record)
        own = ("Arguments", "Options")
        for title in (*(each for each in own if each in sections), *(each for each in sections if each not in own)):
            with formatter.section(title):
                formatter.write_dl(sections[title])


def flowing(text: str) -> str:
    r"""Return a docstring whose paragraphs the terminal breaks; indented lines (examples, tables) stay as they are.

    Examples
    --------
    >>> flowing("Run it\nnow.\n\n  a  b\n  c  d")
    'Run it now.\n\n\x08\n  a  b\n  c  d'
    """
    return "\n\n".join(_paragraphs(text))


def _paragraphs(text: str) -> Iterator[str]:
    from inspect import cleandoc

    for each in cleandoc(text).split("\n\n"):
        # \b is how click marks a paragraph that is not to be broken.
        yield "\b\n" + each if each.startswith(" ") else each.replace("\n", " ").replace("\\[", "[")
