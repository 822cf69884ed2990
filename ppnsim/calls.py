"""A wrong call of the library is refused in a sentence: the value, what its parameter takes, and what to write instead.

What a parameter takes is its annotation, and in words its line of the docstring; so neither is said a second time.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, update_wrapper
from importlib import import_module
from itertools import islice
from numbers import Integral, Real
from types import FunctionType, NoneType, SimpleNamespace, UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ppnsim.errors import InputError, UnknownOption, did_you_mean

_P = ParamSpec("_P")
_R = TypeVar("_R")
_C = TypeVar("_C")
_LOOKED_AT = 1000  # parts of a list or mapping
_SHOWN = 60  # characters of a value
_FEW = 3  # kinds of value that are listed
_WORDS = {int: "a whole number", float: "a number", bool: "True or False", str: "a text", NoneType: "None"}


class CallError(InputError, TypeError):
    """A call that does not fit its function or class; Python's own name for it is `TypeError`."""


def public(function: Callable[_P, _R], called: str = "") -> Callable[_P, _R]:
    """Return a function whose wrong calls are refused in a sentence; ``called`` is another name that users know it by.

    Examples
    --------
    >>> def waves(count: int, *, style: str = "flat") -> int:
    ...     return count
    >>> public(waves)(2.5)
    Traceback (most recent call last):
    ppnsim.calls.CallError: waves: count = 2.5 is not a whole number
    >>> public(waves)(2, stile="high")
    Traceback (most recent call last):
    ppnsim.calls.CallError: waves: no option is called 'stile' (did you mean 'style'?)
    >>> public(waves)(2, "high")
    Traceback (most recent call last):
    ppnsim.calls.CallError: waves: 'high' has no name: write waves(..., style='high')
    """
    call: Callable[..., _R] = _Call(function, called or function.__name__, function)

    def checked(*given: _P.args, **named: _P.kwargs) -> _R:
        return call(given, named)

    # With the globals of the function's module, in which doctest looks for its example, and pickle for itself.
    own = FunctionType(checked.__code__, function.__globals__, function.__name__, None, checked.__closure__)
    return cast("Callable[_P, _R]", update_wrapper(own, function))


def public_in(home: str, name: str, called: str = "") -> Any:
    """Return what a module has by a name: a function as `public`, which then is in its place.

    So the name that a pickle writes of it leads to it. Functions of ppnsim that import each other get no checks.

    Examples
    --------
    >>> public_in("model.builders", "chain")(length=2)
    Traceback (most recent call last):
    ppnsim.calls.CallError: chain: firings is missing (a whole number)
    """
    module = import_module(f"ppnsim.{home}")
    found = getattr(module, name)
    if isinstance(found, FunctionType) and not hasattr(found, "__wrapped__"):
        found = public(found, called)
        setattr(module, name, found)
    return found


def built_by_name(made: type[_C]) -> type[_C]:
    """Return a class whose wrong constructions are refused in a sentence; what its values obey, it says itself.

    Examples
    --------
    >>> @built_by_name
    ... class Wave:
    ...     def __init__(self, *, height: int) -> None: ...
    >>> Wave(heigth=3)
    Traceback (most recent call last):
    ppnsim.calls.CallError: Wave: no option is called 'heigth' (did you mean 'height'?)
    """
    build = made.__init__
    call = _Call(build, made.__name__, made, bound=True)

    def built(self: Any, *given: Any, **named: Any) -> None:
        try:
            build(self, *given, **named)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is None:  # not of anything inside
                call.arguments((self, *given), named)
            raise

    made.__init__ = update_wrapper(built, build)  # type: ignore[method-assign]
    return made


class _Call:
    """A function with what its parameters take, which is found when it is called first."""

    def __init__(self, function: Callable[..., Any], name: str, says: object, *, bound: bool = False) -> None:
        self.function, self.name, self.says, self.bound = function, name, says, bound

    def __call__(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
        for name, value in self.arguments(given, named).items():
            if name in self.hints and not fits(value, self.hints[name]):
                raise CallError(self._wrong(name, value), where=self.name)
        try:
            return self.function(*given, **named)
        except UnknownOption as error:
            raise CallError(
                f"{error}{did_you_mean(error.option, [*self.by_name, *error.known])}", where=self.name
            ) from None

    def arguments(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments by name."""
        try:
            return self.signature.bind(*given, **named).arguments
        except TypeError as error:
            raise CallError(self._misfit(given, named) or str(error), where=self.name) from None

    @cached_property
    def signature(self) -> inspect.Signature:
        return inspect.signature(self.function)

    @cached_property
    def by_name(self) -> list[str]:
        """The parameters that can be given by name."""
        kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        return [each.name for each in self._parameters if each.kind in kinds]

    @cached_property
    def hints(self) -> dict[str, Any]:
        """The annotations; those that only a type checker can read are left out."""
        found: dict[str, Any] = {}
        for each in self._parameters:
            if each.kind in (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL):
                continue
            alone = SimpleNamespace(__annotations__={each.name: each.annotation})
            try:
                found |= get_type_hints(alone, globalns=self.function.__globals__)
            except NameError:
                continue
        return found

    @property
    def _parameters(self) -> list[inspect.Parameter]:
        return list(self.signature.parameters.values())[self.bound :]

    def _misfit(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> str:
        """Return what is wrong with the names of a call."""
        takes_any = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in self._parameters)
        if not takes_any and (unknown := next((name for name in named if name not in self.by_name), None)):
            return f"no option is called '{unknown}'{did_you_mean(unknown, self.by_name)}"
        placed = [each.name for each in self._parameters if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
        beyond = given[self.bound + len(placed) :]
        free = [name for name in self.by_name if name not in placed and name not in named]
        if beyond:
            if not free:
                return f"{_shown(beyond[0])} is one argument too many (it takes {len(placed) or 'none'})"
            likely = next((name for name in free if name in self.hints and fits(beyond[0], self.hints[name])), free[0])
            before = "..., " if placed else ""
            return f"{_shown(beyond[0])} has no name: write {self.name}({before}{likely}={_shown(beyond[0])})"
        absent = [
            each.name for each in self._parameters[max(0, len(given) - self.bound) :]
            if each.default is inspect.Parameter.empty and each.name in self.by_name and each.name not in named
        ]  # fmt: skip
        return f"{absent[0]} is missing{self._said(absent[0], always=True)}" if absent else ""

    def _wrong(self, name: str, value: object) -> str:
        """Return what is wrong with a value, or with a part of it: its kind, and what the docstring says of it."""
        part, found, hint = _culprit(value, self.hints[name])
        words = list(dict.fromkeys(_words(hint)))
        few = len(words) <= _FEW or not _sentence(self.says, name)
        is_not = f"is not {_either(words)}" if few else "cannot be used"
        return f"{name}{part} = {_shown(found)} {is_not}{self._said(name)}"

    def _said(self, name: str, *, always: bool = False) -> str:
        """Return what a parameter takes, in brackets."""
        said = _sentence(self.says, name)
        if said:
            return f" ({name}: {said})"
        words = _either(list(dict.fromkeys(_words(self.hints[name])))) if always and name in self.hints else ""
        return f" ({words})" if words else ""


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
        return any(value is each or (value == each and type(value) is type(each)) for each in arguments)
    if hint in (int, float):
        return isinstance(value, Integral if hint is int else Real) and not isinstance(value, bool)
    if hint is bool:
        return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")
    if origin is tuple:
        if not isinstance(value, tuple | list):
            return False
        each = arguments[:1] * len(value) if arguments[1:] == (...,) else arguments
        return len(each) == len(value) and all(map(fits, value, each))
    if not isinstance(kind := origin or hint, type):
        return True  # a variable of types, or what only a type checker can tell
    try:
        return isinstance(value, kind) and _parts_fit(value, arguments)
    except TypeError:
        return True


def _parts_fit(value: object, hints: tuple[Any, ...]) -> bool:
    if isinstance(value, Mapping) and len(hints) == 2:
        parts = islice(value.items(), _LOOKED_AT)
        return all(fits(name, hints[0]) and fits(each, hints[1]) for name, each in parts)
    if isinstance(value, list | tuple) and len(hints) == 1:
        return all(fits(each, hints[0]) for each in islice(value, _LOOKED_AT))
    return True


def _culprit(value: object, hint: Any) -> tuple[str, object, Any]:
    """Return the part of a value that does not fit, as it is written behind a name, and what would fit there."""
    parts: Iterable[tuple[object, object]] = ()
    if isinstance(value, Mapping):
        parts = islice(value.items(), _LOOKED_AT)
    elif isinstance(value, list | tuple):
        parts = enumerate(islice(value, _LOOKED_AT))
    either = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    named = isinstance(value, Mapping)
    for each in either:
        kind, arguments = get_origin(each), get_args(each)
        fitting = (
            isinstance(kind, type) and isinstance(value, kind) and len(arguments) == 1 + named and kind is not tuple
        )
        for key, part in parts if fitting else ():
            if (not named or fits(key, arguments[0])) and not fits(part, arguments[-1]):
                return f"[{key!r}]", part, arguments[-1]
    return "", value, hint


def _words(hint: Any) -> Iterator[str]:
    """Yield what an annotation says, in words."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _WORDS:
        yield _WORDS[hint]
    elif origin in (Union, UnionType):
        for each in arguments:
            yield from _words(each)
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


def _either(words: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def _sentence(says: object, name: str) -> str:
    """Return what the docstring says of a parameter."""
    text = inspect.getdoc(says) or ""
    found = re.search(rf"^(?:\w+, )*{name}(?:, \w+)* : ((?:.+\n?)(?:^ +.+\n?)*)", text, re.MULTILINE)
    return " ".join(found[1].split()).replace("``", "").rstrip(".") if found else ""


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
