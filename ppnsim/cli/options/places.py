"""Where the pictures of several files go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path


def places_of(place: Path, files: Sequence[str]) -> list[Path]:
    """Return a place for the picture of each file: of several, each has the file's name in its own.

    Examples
    --------
    >>> [str(each) for each in places_of(Path("errors.svg"), ["day.toml", "old/day.toml"])]
    ['errors-day.svg', 'errors-day-2.svg']
    """
    if len(files) < 2:
        return [place] * len(files)
    seen: Counter[str] = Counter()
    places = []
    for stem in (Path(file).stem if file != "-" else "stdin" for file in files):
        seen[stem] += 1
        again = f"-{seen[stem]}" if seen[stem] > 1 else ""
        places.append(place.with_stem(f"{place.stem}-{stem}{again}"))
    return places
