"""Files that commands write: none replaces another, or one that is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ppnsim.errors import InputError


def check_distinct(outputs: Mapping[str, Path | str | None], inputs: Sequence[str] = ()) -> None:
    """Raise `InputError` before any work is done if two options would write one file, or one a file that is read.

    Examples
    --------
    >>> check_distinct({"--csv": "curves.csv", "--plot": Path("./curves.csv")})
    Traceback (most recent call last):
    ppnsim.errors.InputError: --plot: 'curves.csv' is also given to --csv, which it would replace
    """
    taken = {Path(each).resolve(): "" for each in inputs}
    for option, output in outputs.items():
        place = Path(str(output)).resolve()
        # Standard output and devices take what any number of writers bring.
        if output in (None, "", "-") or (place.exists() and not place.is_file()):
            continue
        if place in taken:
            other = f"also given to {taken[place]}, which it would replace" if taken[place] else "the input itself"
            raise InputError(f"'{output}' is {other}", where=option)
        taken[place] = option
