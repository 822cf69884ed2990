"""Words of a line as a shell splits them: of the compiler's flags, directives and a script's arguments."""

from __future__ import annotations

import shlex

from ppnsim.errors import InputError


def shell_words(text: str, where: str) -> list[str]:
    """Return the words of a line, of which those in quotes are one; refuse quotes that nothing closes.

    Raises
    ------
    InputError
        With the place ``where`` the line stands.

    Examples
    --------
    >>> shell_words("-DN=8 '-I a b'", "run.tcl:3")
    ['-DN=8', '-I a b']
    """
    try:
        return shlex.split(text)
    except ValueError as reason:
        raise InputError(f"cannot be split into words ({str(reason).lower()}): {text}", where=where) from None
