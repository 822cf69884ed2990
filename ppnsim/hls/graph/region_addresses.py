"""Address timing of straight-line code in the state machine (R5.5)."""

from __future__ import annotations

from ppnsim.hls.graph.addresses import address_bits
from ppnsim.hls.library.library import Library
from ppnsim.hls.structure.counting import signed_digits
from ppnsim.loops.program import Access, Array


def region_ready(
    library: Library, array: Array, access: Access, flattened: set[str], own: frozenset[str] = frozenset()
) -> tuple[int, float]:
    """Return the state and nanoseconds of an address in the state machine (R5.5).

    A row of two shifted terms needs two adders; from 16 address bits on they do not fit before a load. A row that the
    innermost loop around (``own``) does not move is computed before it. The iterators of a header of several loops
    (``flattened``) are chosen in its first state; a product of them takes another state. An address of iterators and
    constants in rows whose length is a power of two is wiring.
    """
    names = [subscript.iterators() for subscript in access.subscripts]
    chosen = any(each & flattened for each in names)
    if not chosen and _is_wire(array, access):
        return 0, 0.0
    add = library.delay_ns("add", address_bits(array))
    if len(access.subscripts) != 2 or not names[0]:
        if not access.subscripts:
            return 0, 0.0
        several = max(1, _adders(access, own))
        late = several > 1 and several * add + library.ns("ram") > library.budget
        return (1, add) if late else (0, several * add)
    terms = signed_digits(array.shape[-1])
    if chosen:
        return (1, add) if terms <= 2 else (2, add)
    left = own and not names[0] & own  # the row has left the innermost loop
    fits = terms != 2 or left or 2 * add + library.ns("ram") <= library.budget
    return (0, add) if fits else (1, add)


def _adders(access: Access, own: frozenset[str]) -> int:
    """Return the number of adders in a row in an address: for the terms of a subscript, and one for all its rows."""
    moved = [each for each in access.subscripts if each.iterators() & own]
    longest = max((len(each.terms) + bool(each.constant) - 1 for each in moved), default=0)
    return longest + (sum(not each.is_constant for each in access.subscripts) > 1)


def _is_wire(array: Array, access: Access) -> bool:
    """Return whether the bits of iterators and constants form an address without an adder."""
    parts = [(each.constant, each.terms) for each in access.subscripts if not each.is_constant]
    bare = all(not start and [isinstance(atom, str) and by for atom, by in terms] == [1] for start, terms in parts)
    return bare and not access.random and _in_powers_of_two(array)


def _in_powers_of_two(array: Array) -> bool:
    """Return whether row lengths are powers of two, so that a row number needs no addition."""
    return all(signed_digits(size) == 1 for size in array.shape[1:])
