"""A wrong call of the library is refused in a sentence: the value, what its parameter takes, and what to write instead.

What a parameter takes is its annotation, and in words its line of the docstring; so neither is said a second time.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cached_property, partial, update_wrapper
from importlib import import_module
from types import FunctionType, SimpleNamespace
from typing import Any, Literal, ParamSpec, TypeVar, cast, get_args, get_origin, get_type_hints

from ppnsim.errors import InputError, UnknownOption, did_you_mean
from ppnsim.kinds import culprit, either, fits, plain, said_of, shown, words_of

_P = ParamSpec("_P")
_R = TypeVar("_R")
_C = TypeVar("_C")
_FEW = 3  # kinds of value that are listed
_SAYS_MORE = ("clock",)  # parameters whose own check asks for the unit that a number lacks


class CallError(InputError, TypeError):
    """A call that does not fit its function or class; Python's own name for it is `TypeError`."""


class NoOptionError(CallError, UnknownOption):
    """A call with an option that neither the function has, nor what it hands options on to."""

    def __init__(self, error: UnknownOption, known: list[str], where: str) -> None:
        near = did_you_mean(error.option, known)
        CallError.__init__(self, f"{error.plain}{near}", where=where)
        self.option, self.known, self.plain = error.option, tuple(known), error.plain


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
    call: Callable[..., _R] = _Callee(function, called or function.__name__, function)

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
    call = _Callee(build, made.__name__, made, bound=True)

    def built(self: Any, *given: Any, **named: Any) -> None:
        try:
            build(self, *given, **named)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is None:  # not of anything inside
                call.bound_to((self, *given), named)
            raise

    made.__init__ = update_wrapper(built, build)  # type: ignore[method-assign]
    return made


class _Callee:
    """A function with what its parameters take, which is found when it is called first."""

    def __init__(self, function: Callable[..., Any], name: str, says: object, *, bound: bool = False) -> None:
        self.function, self.name, self.says, self.bound = function, name, says, bound

    def __call__(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
        bound = self.bound_to(given, named)
        for name, value in bound.arguments.items():
            if name in self.hints and name not in _SAYS_MORE:
                fit = partial(self._fitting, name)
                bound.arguments[name] = tuple(map(fit, value)) if name in self.several else fit(value)
        try:
            return self.function(*bound.args, **bound.kwargs)
        except UnknownOption as error:
            raise NoOptionError(error, [*self.by_name, *error.known], self.name) from None

    def _fitting(self, name: str, value: object) -> object:
        """Return a value of the kind that a parameter takes."""
        if not fits(read := plain(value, self.hints[name]), self.hints[name]):
            raise CallError(self._wrong(name, value), where=self.name)
        return read

    def bound_to(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> inspect.BoundArguments:
        """Return the arguments with their names."""
        try:
            return self.signature.bind(*given, **named)
        except TypeError as error:
            raise CallError(self._misfit(given, named) or str(error), where=self.name) from None

    @cached_property
    def signature(self) -> inspect.Signature:
        return inspect.signature(self.function)

    @cached_property
    def by_name(self) -> list[str]:
        """The parameters that can be given by name."""
        return [each.name for each in self._parameters if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD)]

    @cached_property
    def hints(self) -> dict[str, Any]:
        """The annotations; those that only a type checker can read are left out."""
        found: dict[str, Any] = {}
        for each in self._parameters:
            alone = SimpleNamespace(__annotations__={each.name: each.annotation})
            try:
                found |= get_type_hints(alone, globalns=self.function.__globals__)
            except (NameError, TypeError):  # what only a type checker can read
                continue
        return found

    @cached_property
    def several(self) -> list[str]:
        """The parameters that take any number of arguments."""
        return [each.name for each in self._parameters if each.kind is inspect.Parameter.VAR_POSITIONAL]

    @property
    def _parameters(self) -> list[inspect.Parameter]:
        return list(self.signature.parameters.values())[self.bound :]

    def _misfit(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> str:
        """Return what is wrong with the names of a call, nothing if they are right."""
        takes_any = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in self._parameters)
        if not takes_any and (unknown := next((name for name in named if name not in self.by_name), None)):
            said = getattr(self.says, "_elsewhere", {}).get(unknown) or did_you_mean(unknown, self.by_name)
            return f"no option is called '{unknown}'{said}"
        placed = [each.name for each in self._parameters if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
        own = given[self.bound :]
        if len(own) > len(placed) and not self.several:
            value = own[len(placed)]
            if placed[-1:] == ["vary"] and isinstance(own[-2], str) and "=" not in own[-2]:
                return f"values go by name of the parameter: write {self.name}(..., {{{own[-2]!r}: {shown(value)}}})"
            return self._nameless(value, placed, named)
        absent = [
            each.name for each in self._parameters[len(own) :]
            if each.default is inspect.Parameter.empty and each.name in self.by_name and each.name not in named
        ]  # fmt: skip
        return f"{absent[0]} is missing{self._said(absent[0], always=True)}" if absent else ""

    def _nameless(self, value: object, placed: list[str], named: Mapping[str, Any]) -> str:
        """Return how to give a value that only goes by name, or that it is one too many."""
        free = [name for name in self.by_name if name not in placed and name not in named]
        if not free:
            return f"{shown(value)} is one argument too many (it takes {len(placed) or 'none'})"
        likely = next((name for name in free if name in self.hints and fits(value, self.hints[name])), free[0])
        return f"{shown(value)} has no name: write {self.name}({'..., ' if placed else ''}{likely}={shown(value)})"

    def _wrong(self, name: str, value: object) -> str:
        """Return what is wrong with a value, or with a part of it: its kind, and what the docstring says of it."""
        part, found, hint = culprit(value, self.hints[name])
        words = list(dict.fromkeys(words_of(hint)))
        is_not = "cannot be used" if len(words) > _FEW and said_of(self.says, name) else f"is not {either(words)}"
        near = did_you_mean(found, get_args(hint)) if get_origin(hint) is Literal else ""
        return f"{name}{part} = {shown(found)} {is_not}{near if 'did you mean' in near else ''}{self._said(name)}"

    def _said(self, name: str, *, always: bool = False) -> str:
        """Return what a parameter takes, in brackets."""
        if said := said_of(self.says, name):
            return f" ({name}: {said})"
        words = either(list(dict.fromkeys(words_of(self.hints[name])))) if always and name in self.hints else ""
        return f" ({words})" if words else ""
