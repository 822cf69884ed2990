"""Every error that ppnsim raises on purpose, and the exit code that the command line gives it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches


class PpnsimError(Exception):
    """Root of all errors of ppnsim; the message is meant for the person who made the input."""

    exit_code = 1


class InputError(PpnsimError):
    """The input breaks a rule; the message names the place, the value and the rule.

    Examples
    --------
    >>> str(InputError("depth = 0 holds no token", where="channel 'c'"))
    "channel 'c': depth = 0 holds no token"
    """

    exit_code = 2

    def __init__(self, message: str, *, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message  # without the place, which may hold any word


class AdvisedError(InputError):
    """The message says what helps: nobody adds other advice to it."""


class UnknownFunctionError(InputError):
    """No function has the name that is asked for."""


class TooMuchWork(InputError):
    """An answer would take more work than is allowed, so that other ways to it are not tried either."""


class UnknownOption(InputError):
    """Nothing has an option of this name; ``known`` are those that there are, of which one may be meant.

    ``plain`` is the message without what may be meant.
    """

    def __init__(self, option: str, message: str, known: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.option, self.plain = option, message
        self.known = tuple(known)


class UnsupportedByEngine(InputError):
    """An engine was asked for something that it does not do, and says so instead of approximating."""

    def __init__(self, component: str, reason: str) -> None:
        super().__init__(reason, where=component)
        self.component = component
        self.reason = reason


@contextmanager
def located(where: str) -> Iterator[None]:
    """Say of the input errors inside where they are.

    Examples
    --------
    >>> with located("channel 'c'"):
    ...     raise InputError("depth = 0 holds no token")
    Traceback (most recent call last):
    ppnsim.errors.InputError: channel 'c': depth = 0 holds no token
    """
    try:
        yield
    except InputError as error:
        raise InputError(str(error), where=where) from None


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` for a near miss, else the list of what is known.

    Examples
    --------
    >>> did_you_mean("dept", ["depth", "width"])
    " (did you mean 'depth'?)"
    """
    names = sorted(set(known))
    close = get_close_matches(word, names, n=1) if isinstance(word, str) else []
    if close:
        return f" (did you mean '{close[0]}'?)"
    return f" (known: {', '.join(names)})" if names else ""
