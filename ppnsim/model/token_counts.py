"""The tokens of a channel as counts per firing: the one form that engines run, made from the forms in `tokens`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array, read_only
from ppnsim.errors import InputError
from ppnsim.model.sequence import Sequence
from ppnsim.model.tokens import Rates, Runs, Tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCounts:
    """The tokens of one channel as counts per firing, which is all that timing needs.

    Attributes
    ----------
    kind : ``IOM-``, ``IOM+``, ``OOM-`` or ``OOM+`` (in / out of order, without / with multiplicity; van Teijlingen
        2014, section 2.2.1).
    put : tokens written by producer firings 0 .. n, at firing n.
    need : index among the *written* tokens of the last one that consumer firing n reads; negative if it reads none.
    freed : tokens whose last read is in consumer firings 0 .. n, at firing n (counts initial tokens too).
    initial : tokens that are there at cycle 0.
    written, freed_total, read_count : totals over the run.
    reads : explicit ``(firing, token)`` rows, shape ``(reads, 2)``, or None where ``consume`` rates say it all.
    """

    kind: str
    put: Sequence
    need: Sequence
    freed: Sequence
    initial: int
    written: int
    freed_total: int
    read_count: int
    reads: Int64Array | None

    @property
    def in_order(self) -> bool:
        """Whether tokens are read in the order in which they are written."""
        return self.kind.startswith("I")

    def put_by(self, firings: int) -> tuple[Int64Array, Int64Array]:
        """Return per producer firing how many tokens it writes, and how many have come in with them (initial too)."""
        if not len(self.put.table):
            return self.put.each(firings), np.full(firings, self.initial, dtype=np.int64)
        return self.put.each(firings), Sequence(self.put.table + self.initial, self.put.growth).first(firings)

    def reading_pairs(self, firings: int) -> Int64Array:
        """Return ``(firing, token)`` of every read in order of firing, shape ``(reads, 2)``."""
        if self.reads is not None:
            return self.reads
        readers = _owners(self.freed, firings)
        return np.stack([readers, np.arange(len(readers), dtype=np.int64)], axis=1)

    def writing_firings(self, firings: int) -> Int64Array:
        """Return the producer firing of every written token, shape ``(written,)``."""
        return _owners(self.put, firings)


def _owners(moved: Sequence, firings: int) -> Int64Array:
    """Return, for tokens 0, 1, 2, ..., the firing that moves each, where firings 0 .. n move ``moved(n)``."""
    each = np.arange(firings, dtype=np.int64)
    return each if moved.is_one_each else np.repeat(each, moved.each(firings))


def token_counts(
    tokens: Tokens, *, initial: int, producer_firings: int, consumer_firings: int, where: str
) -> TokenCounts:
    """Return the `TokenCounts` of a channel.

    Raises
    ------
    InputError
        If a firing or a token does not exist, or more is read than is ever there; ``where`` names the channel.

    Examples
    --------
    >>> counts = token_counts(Rates((2,), (3,)), initial=0, producer_firings=6, consumer_firings=4, where="c")
    >>> counts.put.first(6).tolist(), counts.need.first(4).tolist()
    ([2, 4, 6, 8, 10, 12], [2, 5, 8, 11])
    """
    if isinstance(tokens, Rates):
        return _counts_of_rates(tokens, initial, producer_firings, consumer_firings, where)
    if isinstance(tokens, Runs):
        writers = expand_runs(tokens.writes, producer_firings, where=f"{where}: write_runs")
        readers = expand_runs(tokens.reads, consumer_firings, where=f"{where}: read_runs")
        pairs = np.stack([readers, np.arange(len(readers), dtype=np.int64)], axis=1)
    else:
        writers = np.array(tokens.writes, dtype=np.int64)
        pairs = np.array(tokens.reads, dtype=np.int64).reshape(-1, 2)
    return counts_of_lists(writers, pairs, initial, producer_firings, consumer_firings, where)


def expand_runs(runs: tuple[tuple[int, int, int], ...], firings: int, *, where: str) -> Int64Array:
    """Return the firings of ``(first, step, count)`` runs, in order.

    Raises
    ------
    InputError
        If a run leaves the firings 0 .. ``firings`` - 1.

    Examples
    --------
    >>> expand_runs(((0, 2, 3), (10, 1, 2)), 12, where="c").tolist()
    [0, 2, 4, 10, 11]
    """
    for first, step, count in runs:
        if first < 0 or step < 0 or count < 0:
            raise InputError(f"run {[first, step, count]} must be [first >= 0, step >= 0, count >= 0]", where=where)
        if count and first + step * (count - 1) >= firings:
            last = first + step * (count - 1)
            raise InputError(f"run {[first, step, count]} names firing {last}, but there are {firings}", where=where)
    parts = [first + step * np.arange(count, dtype=np.int64) for first, step, count in runs]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _counts_of_rates(tokens: Rates, initial: int, producers: int, consumers: int, where: str) -> TokenCounts:
    put, consumed = sequence_of_rates(tokens.produce, where), sequence_of_rates(tokens.consume, where)
    return counts_in_order(put, consumed, initial, producers, consumers, where)


def sequence_of_rates(rates: tuple[int, ...], where: str) -> Sequence:
    """Return how many tokens firings 0 .. n move at these cyclic rates.

    Raises
    ------
    InputError
        If there is no rate, or a negative one.
    """
    if not rates or min(rates) < 0:
        raise InputError(
            f"rates {list(rates)} must be at least one number of tokens per firing, from 0 on", where=where
        )
    table = np.cumsum(np.array(rates, dtype=np.int64))
    return Sequence(table, growth=int(table[-1]))


def counts_in_order(
    put: Sequence, consumed: Sequence, initial: int, producers: int, consumers: int, where: str
) -> TokenCounts:
    """Return the counts of a channel whose tokens are all read once and in order.

    Parameters
    ----------
    put, consumed : tokens written by the producer's first n + 1 passings, read by the consumer's, at passing n.
    producers, consumers : how many passings there are.

    Raises
    ------
    InputError
        If more is read than is ever there.
    """
    written, taken = put.last(producers), consumed.last(consumers)
    if taken > initial + written:
        raise InputError(
            f"rates do not balance: {consumers} firings of the consumer read {taken} tokens, but there are only "
            f"{initial} initial and {written} written by {producers} firings of the producer",
            where=where,
        )
    need = consumed.raised(-1 - initial)
    return TokenCounts(
        kind="IOM-", put=put, need=need, freed=consumed, initial=initial, written=written,
        freed_total=taken, read_count=taken, reads=None,
    )  # fmt: skip


def counts_of_lists(
    writers: Int64Array, pairs: Int64Array, initial: int, producers: int, consumers: int, where: str
) -> TokenCounts:
    """Return the counts of listed writes and ``(firing, token)`` reads, both int64.

    Raises
    ------
    InputError
        If a firing or a token does not exist, or writes are not in order.
    """
    _check_firings(writers, producers, "writes", "producer", where)
    _check_firings(pairs[:, 0], consumers, "reads", "consumer", where)
    if np.any(np.diff(writers) < 0):
        late = int(np.argmax(np.diff(writers) < 0)) + 1
        raise InputError(
            f"writes[{late}] = {writers[late]} after firing {writers[late - 1]}: "
            "tokens are listed in the order in which they are written",
            where=where,
        )
    there = initial + len(writers)
    wrong = (pairs[:, 1] < 0) | (pairs[:, 1] >= there)
    if np.any(wrong):
        firing, token = pairs[int(np.argmax(wrong))]
        raise InputError(
            f"token {token} is read by firing {firing} but never written (there are {there} tokens, from 0 on: "
            f"{initial} initial, {len(writers)} written)",
            where=where,
        )
    return _counts_of_checked_lists(writers, pairs, initial, producers, consumers)


def _counts_of_checked_lists(
    writers: Int64Array, pairs: Int64Array, initial: int, producers: int, consumers: int
) -> TokenCounts:
    # A written value that nobody reads never enters the channel: drop it and number the others again.
    times_read = np.bincount(pairs[:, 1], minlength=initial + len(writers))
    enters = times_read > 0
    enters[:initial] = True
    number = np.cumsum(enters) - 1
    writers = writers[enters[initial:]]
    pairs = np.stack([pairs[:, 0], number[pairs[:, 1]]], axis=1)
    by_firing_and_token = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]

    last_reader = np.full(initial + len(writers), -1, dtype=np.int64)
    np.maximum.at(last_reader, pairs[:, 1], pairs[:, 0])
    need = np.full(consumers, -1, dtype=np.int64)
    np.maximum.at(need, pairs[:, 0], pairs[:, 1] - initial)
    released = last_reader[last_reader >= 0]
    in_order = bool(np.all(np.diff(by_firing_and_token[:, 1]) >= 0))
    multiple = bool(np.any(times_read > 1))
    put, freed = (
        Sequence(np.cumsum(np.bincount(firings, minlength=count), dtype=np.int64))
        for firings, count in ((writers, producers), (released, consumers))
    )
    return TokenCounts(
        kind=("IOM" if in_order else "OOM") + ("+" if multiple else "-"), put=put, need=Sequence(need), freed=freed,
        initial=initial, written=len(writers), freed_total=len(released), read_count=len(pairs),
        reads=read_only(by_firing_and_token),
    )  # fmt: skip


def _check_firings(firings: Int64Array, count: int, key: str, side: str, where: str) -> None:
    wrong = (firings < 0) | (firings >= count)
    if np.any(wrong):
        at = int(np.argmax(wrong))
        raise InputError(
            f"{key}[{at}] names firing {firings[at]}, but the {side} has firings 0..{count - 1}", where=where
        )
