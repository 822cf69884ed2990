"""The numbers of SDF3 files: one, or one per phase."""

from __future__ import annotations

from ppnsim.formats.values import LARGEST
from ppnsim.formats.xml_tree import Element

MOST_PHASES = 1_000_000


def number(element: Element, key: str, least: int) -> int:
    """Return a whole number of at least ``least``."""
    word = element.text(key).strip()
    if not (word.isascii() and word.isdecimal() and len(word) <= 16) or not least <= int(word) <= LARGEST:
        element.refuse(f"{key} = '{word[:40]}' must be a whole number from {least} to 2**53")
    return int(word)


def numbers_of(element: Element, key: str, kind: str) -> tuple[int, ...]:
    """Return a number per phase; ``3*5`` is three phases of 5, and SDF has one phase."""
    numbers: list[int] = []
    for term in element.text(key).split(","):
        times, star, word = term.rpartition("*")
        parts = [part.strip() for part in ((times, word) if star else ("1", word))]
        if not all(part.isascii() and part.isdecimal() and len(part) <= 16 for part in parts):
            element.refuse(f"{key} = '{element.text(key)[:60]}': '{term.strip()[:40]}' is not a whole number")
        count, value = map(int, parts)
        if value > LARGEST or len(numbers) + count > MOST_PHASES:
            element.refuse(f"{key} = '{element.text(key)[:60]}' is out of range (numbers to 2**53, 10**6 phases)")
        numbers += [value] * count
    if kind == "sdf" and len(numbers) != 1:
        element.refuse(f"{key} lists {len(numbers)} phases, and an actor of type sdf has one (csdf has several)")
    if not numbers:
        element.refuse(f"{key} lists no phase")
    return tuple(numbers)
