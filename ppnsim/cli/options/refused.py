"""A value that an option does not take, in one line as all other mistakes are told, not in typer's block of four."""

from __future__ import annotations

import re
from typing import Any

from ppnsim.errors import InputError

_RULES = (
    (re.compile(r"not one of (.+?)\.?$"), "is none of {0}"),
    (re.compile("valid integer"), "is not a whole number"),
    (re.compile("valid (?:number|float)"), "is not a number"),
    (re.compile(r"(?:greater than or equal to |range x>=)(\d+)"), "is below {0}"),
)
"""What typer, with click or pydantic inside, says of a value, and the words for it here."""


def refused(error: Any, values: dict[str, Any]) -> InputError | None:
    """Return the error of a value (click's ``BadParameter``) in one line; None for a mistake of another kind.

    ``values`` are those of the command line by the names of the parameters.

    Examples
    --------
    >>> from ppnsim.cli.app import command_called
    >>> command_called("size").make_context("size", ["net.toml", "--cost", "gold"])
    Traceback (most recent call last):
    ppnsim.errors.InputError: --cost: 'gold' is none of tokens, bits, fpga
    """
    if type(error).__name__ != "BadParameter" or error.param is None:  # which typer may bring along as its own
        return None
    named = max(error.param.opts, key=len) if error.param.param_type_name == "option" else error.param.metavar
    value, found = values.get(error.param.name), ((rule.search(error.message), words) for rule, words in _RULES)
    said = next((words.format(*match.groups()).replace("'", "") for match, words in found if match), None)
    if said is None and f"'{value}'" in error.message:  # the words of a converter of ours
        return InputError(error.message, where=named or "")
    return InputError(f"'{value}' {said or f'is refused: {error.message}'}", where=named or "")
