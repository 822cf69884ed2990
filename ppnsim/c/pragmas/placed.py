"""Places trip counts that a script gives to loop labels in the source, as if they were pragmas (UG1399, directives)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ppnsim.c.pragmas.text import PragmaLine, hls_pragmas, without_comments
from ppnsim.c.syntax import Function


@dataclass(frozen=True, slots=True)
class PlacedCount:
    """A function, the label of a loop in it, and the text of the pragma for that loop: ``loop_tripcount max=8``."""

    function: str
    label: str
    text: str


def placed_counts(
    counts: Iterable[PlacedCount], functions: Iterable[Function], sources: Mapping[str, str]
) -> Iterator[PragmaLine]:
    """Yield each count at the first line of each loop with its label, in all functions of its name."""
    texts = {file: without_comments(text) for file, text in sources.items()}
    places = {(each.name, each.position.file, each.position.line, each.end) for each in functions}
    for count in counts:
        label = re.compile(rf"\b{re.escape(count.label)}\s*:\s*(?=(?:for|while|do)\b)")
        (pragma,) = hls_pragmas("", f"#pragma HLS {count.text}")
        for name, file, first, last in sorted(places):
            text = texts.get(file, "")
            for found in label.finditer(text) if name == count.function.rpartition("::")[2] else ():
                line = text.count("\n", 0, found.end()) + 1
                if first <= line <= last:
                    yield replace(pragma, position=replace(pragma.position, file=file, line=line))
