"""Number formats of operators: integers and fixed point of any width, half, float, double."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from functools import lru_cache

from ppnsim.errors import InputError
from ppnsim.loops.kept_hash import KeptHash
from ppnsim.loops.position import Position
from ppnsim.loops.program import Array

_ARBITRARY = re.compile(r"ap_(u?)(int|fixed)<\s*(\d+)\s*(?:,\s*(-?\d+))?[^>]*>")
_INTEGERS = {
    "bool": (1, False), "_Bool": (1, False), "char": (8, True), "signed char": (8, True), "unsigned char": (8, False),
    "short": (16, True), "unsigned short": (16, False), "int": (32, True), "unsigned int": (32, False),
    "long": (64, True), "unsigned long": (64, False), "long long": (64, True), "unsigned long long": (64, False),
    "__int128": (128, True), "unsigned __int128": (128, False),
}  # fmt: skip
_REALS = {"half": 16, "float": 32, "double": 64}


@dataclass(frozen=True, slots=True)
class Format(KeptHash):
    """A number format; ``fraction`` bits of ``bits`` are behind the point (fixed point and integers only).

    Examples
    --------
    >>> Format.of("ap_fixed<32,16>")
    Format(family='fixed', bits=32, fraction=16, signed=True)
    """

    family: str
    bits: int
    fraction: int = 0
    signed: bool = True

    __hash__ = KeptHash.__hash__

    @classmethod
    def of(cls, text: str, where: Position | str = "") -> Format:
        """Return the format of a C type; raise InputError for a type that no operator takes."""
        if (found := _known(text)) is not None:
            if found.bits < 1:
                raise InputError(f"type '{text}' has no bits; the vendor's numbers have 1 or more", where=str(where))
            return found
        known = "integers, half, float, double, ap_int, ap_uint, ap_fixed, ap_ufixed"
        raise InputError(f"type '{text}' has no operators here (known: {known})", where=str(where))

    @classmethod
    def held(cls, array: Array, where: str = "") -> Format:
        """Return the format of an array's elements; a struct has the bits of all its numbers."""
        if array.fields:
            return cls("struct", sum(bits for _, _, bits in array.fields), 0, False)
        return cls.of(array.type, where)

    @property
    def whole(self) -> int:
        """Bits before the point."""
        return self.bits - self.fraction

    @property
    def real(self) -> bool:
        """Whether it is floating point."""
        return self.family in _REALS


@lru_cache(maxsize=1024)  # each body calls it for each of its arrays
def _known(text: str) -> Format | None:
    """Return the format of a C type, None for a type that no operator takes."""
    if text in _INTEGERS:
        return Format("integer", _INTEGERS[text][0], 0, _INTEGERS[text][1])
    if text in _REALS:
        return Format(text, _REALS[text])
    if found := _ARBITRARY.fullmatch(text):
        bits = int(found[3])
        if found[2] == "int":
            return Format("integer", bits, 0, not found[1])
        return Format("fixed", bits, bits - int(found[4] or bits), not found[1])
    return Format("integer", 32) if text.startswith("enum ") or text == "wchar_t" else None


def rounded_to_half(value: float) -> float | None:
    """Return the nearest number of IEEE binary16, ties to even; None beyond its largest number.

    Examples
    --------
    >>> rounded_to_half(2049), rounded_to_half(0.1), rounded_to_half(65519), rounded_to_half(65520)
    (2048.0, 0.0999755859375, 65504.0, None)
    """
    try:
        return float(struct.unpack("e", struct.pack("e", float(value)))[0])
    except OverflowError:
        return None


BIT = Format("integer", 1, 0, False)
SINGLE = Format("float", 32)


def joined(left: Format, right: Format) -> Format:
    """Return the common format of the operands of a sum."""
    if left.real or right.real:
        return left if left.real and (not right.real or left.bits >= right.bits) else right
    signed = left.signed or right.signed
    whole = max(left.whole + (signed and not left.signed), right.whole + (signed and not right.signed))
    fraction = max(left.fraction, right.fraction)
    family = "fixed" if "fixed" in (left.family, right.family) else "integer"
    return Format(family, whole + fraction, fraction, signed)


def result(name: str, left: Format, right: Format, most: Format | None = None) -> Format:
    """Return the full format of a sum, difference, product or quotient.

    A result of integers has no more bits than ``most``, its type in C: no bit above them is ever used.

    Examples
    --------
    >>> result("mul", Format.of("ap_fixed<32,16>"), Format.of("ap_fixed<32,16>"))
    Format(family='fixed', bits=64, fraction=32, signed=True)
    >>> result("mul", Format.of("char"), Format.of("char"), Format.of("int")).bits
    16
    """
    common = joined(left, right)
    if common.real:
        return common
    if common.family == "integer":
        grown = {"add": common.bits + 1, "sub": common.bits + 1, "mul": left.bits + right.bits}.get(name, left.bits)
        if most is None or most.family != "integer":
            return common
        return Format("integer", min(grown, most.bits), 0, common.signed or (name == "sub" and most.signed))
    if name in ("add", "sub"):
        return Format("fixed", common.bits + 1, common.fraction, common.signed)
    if name == "mul":
        return Format("fixed", left.bits + right.bits, left.fraction + right.fraction, common.signed)
    return Format("fixed", left.bits + right.fraction, left.fraction, common.signed)
