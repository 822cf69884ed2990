"""Which values an annotation takes, and how it is said in words."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

_LOOKED_AT = 1000  # parts of a list or mapping
_SHOWN = 60  # characters of a value
_WORDS = {int: "a whole number", float: "a number", bool: "True or False", str: "a text", NoneType: "None"}


def fits(value: object, hint: Any) -> bool:
    """Return whether a value is what an annotation says; a list stands for a tuple, and numbers of numpy are numbers.

    Examples
    --------
    >>> fits(3, int | None), fits(True, int), fits([1, 2], tuple[int, int]), fits({"a": "b"}, Mapping[str, int])
    (True, False, True, False)
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(fits(value, each) for each in arguments)
    if origin is Literal:
        return any(type(value) is type(each) and value == each for each in arguments)
    if hint in (int, float):
        return isinstance(value, Integral if hint is int else Real) and not isinstance(value, bool)
    if hint is bool:
        return type(value).__name__ in ("bool", "bool_")
    if origin is tuple:
        return isinstance(value, tuple | list) and _places_fit(value, arguments)
    kind = origin or hint
    if isinstance(value, str) and kind in (Sequence, Iterable):
        return False  # its letters are not meant
    try:
        return not isinstance(kind, type) or (isinstance(value, kind) and _parts_fit(value, arguments))
    except TypeError:
        return True  # what only a type checker can tell


def _places_fit(value: Sequence[object], hints: tuple[Any, ...]) -> bool:
    each = hints[:1] * len(value) if hints[1:] == (...,) else hints
    return len(each) == len(value) and all(map(fits, value, each))


def _parts_fit(value: object, hints: tuple[Any, ...]) -> bool:
    if isinstance(value, Mapping) and len(hints) == 2:
        parts = islice(value.items(), _LOOKED_AT)
        return all(fits(name, hints[0]) and fits(each, hints[1]) for name, each in parts)
    if isinstance(value, list | tuple) and len(hints) == 1:
        return all(fits(each, hints[0]) for each in islice(value, _LOOKED_AT))
    return True


def plain(value: Any, hint: Any) -> Any:
    """Return an array of numpy as a list, and a series of pandas as a list or a dictionary, if that is what fits.

    Examples
    --------
    >>> import numpy as np
    >>> plain(np.arange(3), Sequence[int]), plain(np.arange(3), Mapping[str, int]), plain(3, int)
    ([0, 1, 2], array([0, 1, 2]), 3)
    """
    if type(value).__module__.partition(".")[0] in ("numpy", "pandas") and not fits(value, hint):
        for way in ("tolist", "to_dict"):
            if (made := getattr(value, way, None)) is not None and fits(found := made(), hint):
                return found
    return value


def culprit(value: object, hint: Any) -> tuple[str, object, Any]:
    """Return the part of a value that does not fit, as it is written behind a name, and what would fit there."""
    parts: Iterable[tuple[object, object]] = ()
    if isinstance(value, Mapping):
        parts = islice(value.items(), _LOOKED_AT)
    elif isinstance(value, list | tuple):
        parts = enumerate(islice(value, _LOOKED_AT))
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    named = isinstance(value, Mapping)
    for each in kinds:
        kind, arguments = get_origin(each), get_args(each)
        fitting = (
            isinstance(kind, type) and isinstance(value, kind) and len(arguments) == 1 + named and kind is not tuple
        )
        for key, part in parts if fitting else ():
            if (not named or fits(key, arguments[0])) and not fits(part, arguments[-1]):
                return f"[{key!r}]", part, arguments[-1]
    return "", value, hint


def words_of(hint: Any) -> Iterator[str]:
    """Yield what an annotation says, in words."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _WORDS:
        yield _WORDS[hint]
    elif origin in (Union, UnionType):
        for each in arguments:
            yield from words_of(each)
    elif origin is Literal:
        yield from map(repr, arguments)
    elif (kind := origin or hint) is tuple:
        yield f"a tuple of {len(arguments)}" if arguments[1:] != (...,) else "a tuple"
    elif isinstance(kind, type):
        known = {"PathLike": "a path", "Mapping": "a dictionary", "Callable": "a function"}
        listed = issubclass(kind, Iterable) and not issubclass(kind, Mapping) and kind.__module__ == "collections.abc"
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        if kind is not object:
            yield "a list" if listed else known.get(kind.__name__, f"{article} {kind.__name__}")


def either(words: list[str]) -> str:
    """Return words of which one is right."""
    return " or ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def shown(value: object) -> str:
    """Return a value as it is written, or its beginning."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def said_of(says: object, name: str) -> str:
    """Return what the docstring says of a parameter."""
    text = inspect.getdoc(says) or ""
    found = re.search(rf"^(?:\w+, )*{name}(?:, \w+)* : ((?:.+\n?)(?:^ +.+\n?)*)", text, re.MULTILINE)
    return " ".join(found[1].split()).replace("``", "").rstrip(".") if found else ""
