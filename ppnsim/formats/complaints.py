"""The one validator of files: data against the keys of a schema, and every fault as a line ``WHERE: KEY = VALUE RULE``.

Rooms say what their files may hold as `Keys`; what is wrong with a file is worded here, for all of them alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import Tag, ValidationError
from pydantic_core import ErrorDetails

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.schema import Keys
from ppnsim.formats.values import shown

if TYPE_CHECKING:
    from ppnsim.model.network import Network

_KeysT = TypeVar("_KeysT", bound=Keys)
_Step = int | str
_OTHER_WORDS = {  # of other tools, for keys of ours that are spelt otherwise
    "bits": "width", "capacity": "depth", "size": "depth",
    "delay": "latency", "interval": "ii", "iterations": "firings",
}  # fmt: skip
_SHAPES = {
    "model_type": "must be a table of keys",
    "dict_type": "must be a table of keys",
    "list_type": "must be a list",
}


def validated(keys: type[_KeysT], data: object, *, context: object = None) -> _KeysT:
    """Return decoded data as the keys of a schema.

    Parameters
    ----------
    context : what the validators of values are told, as the `Dialect` of a network file.

    Raises
    ------
    InputError
        With all faults at once, one line each.

    Examples
    --------
    >>> from ppnsim.formats.network_json import NetworkJson
    >>> validated(NetworkJson, {"processes": [{"name": "a", "firings": 2.5, "latancy": 3}, 4]})
    Traceback (most recent call last):
    ppnsim.errors.InputError: process 'a': firings = 2.5 must be a whole number
    process 'a': unknown key 'latancy' (did you mean 'latency'?)
    processes[1] = 4 must be a table of keys
    """
    try:
        return keys.model_validate(data, context=context)
    except ValidationError as error:
        lines = [_line(fault, data, keys) for fault in error.errors(include_url=False)]
        raise InputError("\n".join(lines)) from None


def checked(network: Network) -> Network:
    """Return the network of a file, checked; numbers may be fine one by one and yet be too many together.

    Raises
    ------
    InputError
        With the first invariant that the network breaks.
    """
    try:
        return network.checked()
    except (MemoryError, OverflowError):
        words = "the network is too large: its tokens do not fit in memory, or their number not in 64 bits"
        raise InputError(words) from None


def _line(fault: ErrorDetails, data: object, file: type[Keys]) -> str:
    place = fault["loc"]
    of_name = place[-1:] == ("[key]",)
    keys, tables, path = _walked(file, place[:-2] if of_name else place, data, whole=fault["type"] == "sentence")
    line = "".join(f"{table}: " for table in tables) + _words(fault, "name" if of_name else path, keys, file)
    # One fault is one line, whatever characters a key is made of.
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line)


def _words(fault: ErrorDetails, path: str, keys: type[Keys], file: type[Keys]) -> str:
    context = fault.get("ctx", {})
    kind = fault["type"]
    if kind == "sentence":
        return str(context["words"])
    if kind == "missing":
        return f"{path} is missing"
    if kind == "extra_forbidden":
        meant, known = _OTHER_WORDS.get(path, path), keys.known_keys()
        hint = did_you_mean(meant if meant in known else path, known)
        return f"unknown key '{path}'{_meant_for(path, keys, file) or hint}"
    words = context.get("words") or _SHAPES.get(kind, "is not understood")
    if kind == "dict_type" and isinstance(fault["input"], list):
        words += f" by name, not a list: write [{path}.NAME] instead of [[{path}]]"
    value = context.get("value") or shown(fault["input"])
    return f"{path}{context.get('at', '')} = {value} {words}" if path else f"{value} {words}"


def _meant_for(path: str, keys: type[Keys], file: type[Keys]) -> str:
    """Return where a file has the key that a table does not know, "" if nowhere."""
    places = []
    for name, field in file.model_fields.items():
        annotation = _bare(field.annotation)
        inner = [_bare(each) for each in get_args(annotation)[-1:]]
        if inner and isinstance(inner[0], type) and issubclass(inner[0], Keys) and inner[0] is not keys:
            table = field.alias or name
            each = f"[{table}.NAME]" if get_origin(annotation) is dict else f"each of {table}"
            places += [each] if path in inner[0].known_keys() else []
    return f" (it stands in {' or '.join(places)})" if places else ""


def _walked(file: type[Keys], place: tuple[_Step, ...], data: Any, *, whole: bool) -> tuple[type[Keys], list[str], str]:
    """Return the innermost table that a fault is in, the names of the tables around it, and the path from there.

    ``whole`` says that the fault is of the last table of the place itself, and not of a key in it.
    """
    keys, at, tables, path = file, file, list[str](), list[_Step]()
    for number, (step, at, inner) in enumerate(_steps(file, place, data), start=1):
        path += [] if step is None else [step]
        if isinstance(at, type) and issubclass(at, Keys) and (number < len(place) or whole):
            name = at.called(path, inner)
            plain = len(path) == 1 and tables and tables[-1].isidentifier()
            tables[-1:] = [f"{tables[-1]}.{name}"] if plain else [*tables[-1:], name]
            keys, path = at, []
    spelt = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return keys, tables, spelt.removeprefix(".")


def _steps(at: Any, place: tuple[_Step, ...], data: Any) -> Iterator[tuple[_Step | None, Any, Any]]:
    """Yield each step of a place with the annotation and the data that it leads to; None is not a step in the data."""
    for step in place:
        if isinstance(at, type) and issubclass(at, Keys):
            fields = {field.alias or name: field for name, field in at.model_fields.items()}
            at = _bare(fields[str(step)].annotation) if step in fields else None
        elif get_origin(at) in (
            Union,
            UnionType,
        ):  # the step is the tag of a kind of table, or a kind of value
            at = next((_bare(each) for each in get_args(at) if Tag(str(step)) in get_args(each)), None)
            yield None, at, data
            continue
        else:
            inside = [each for each in get_args(at) if each is not ...]
            at = _bare(inside[-1]) if inside else None
        try:
            data = data[step]
        except (LookupError, TypeError):
            data = None
        yield step, at, data


def _bare(annotation: Any) -> Any:
    """Return an annotation without validators and without None; of several kinds of tables all of them."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        kinds = [each for each in get_args(annotation) if each is not type(None)]
        return _bare(kinds[0]) if len(kinds) == 1 else annotation
    return annotation
