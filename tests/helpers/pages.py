"""What stands in a page of documentation: its fenced blocks, its commands, and the command of each answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^(?:.*&& \S*)?(ppnsim [^#\n]*)", re.MULTILINE)
_INLINE = re.compile(r"`(ppnsim [^`]+)`")


@dataclass(frozen=True)
class Answer:
    """A printed answer, the command that stands last before it, and the network (TOML) that does."""

    command: str
    toml: str
    lines: tuple[str, ...]


def blocks(page: str, language: str) -> list[str]:
    """Return the fenced blocks of a page in one language."""
    return [text for each, text in _FENCE.findall(page) if each == language]


def answers(page: str) -> list[Answer]:
    """Return the answers that a page prints in fences without a language; lines of dots stand for what is left out."""
    found, command, toml, last = [], "", "", 0
    for fence in _FENCE.finditer(page):
        inline = _INLINE.findall(page[last : fence.start()])
        command, last = (inline[-1] if inline else command), fence.end()
        language, text = fence.groups()
        if language == "toml":
            toml = text
        elif language == "sh" and (commands := _COMMAND.findall(text)):
            command = commands[-1]
        elif not language:
            found.append(Answer(command.strip(), toml, tuple(text.splitlines())))
    return found


def is_printed(line: str, shown: str) -> bool:
    """Return whether a line of a page stands in an answer; the seconds at its end are those of another machine."""
    timeless = re.sub(r"\s+[\d.]+ s$", "", line)
    return any(each.startswith(timeless) for each in shown.splitlines())
