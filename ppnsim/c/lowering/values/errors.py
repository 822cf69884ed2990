"""Why an expression is not a number that is known before the program runs."""

from __future__ import annotations

from ppnsim.errors import InputError


class NotAffine(InputError):
    """An expression is not affine. The caller catches the error and adds what the expression is used for."""


class NotBound(InputError):
    """A parameter has no value. A parameter that is used as data needs none."""
