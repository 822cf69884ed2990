"""The tokens of channels at scheduled processes: accesses at steps, at one end or at both, as counts per passing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.model.elements import Channel
from ppnsim.model.schedule import Stops, check_steps
from ppnsim.model.sequence import Sequence
from ppnsim.model.step_lists import StepList
from ppnsim.model.token_counts import (
    TokenCounts,
    counts_in_order,
    counts_of_lists,
    expand_runs,
    sequence_of_rates,
    token_counts,
)
from ppnsim.model.tokens import Listed, Rates, Runs


@dataclass(frozen=True, slots=True)
class Side:
    """One end of a channel: how many passings its process has, and its stops if it is scheduled."""

    passings: int
    stops: Stops | None


def is_scheduled(channel: Channel) -> bool:
    """Return whether an end of the channel is accessed at steps."""
    return channel.write_steps is not None or channel.read_steps is not None


def counts_of_sides(channel: Channel, producer: Side, consumer: Side) -> TokenCounts:
    """Return the counts of a channel, whose ends may be scheduled.

    Raises
    ------
    InputError
        If steps are missing at a scheduled end or given at another one, stand beside another word on the same accesses,
        lie outside the run or go back, or if more is read than is ever there.
    """
    _check_side(channel, "write_steps", channel.write_steps, producer)
    _check_side(channel, "read_steps", channel.read_steps, consumer)
    if channel.read_tokens is not None and channel.read_steps is None:
        raise InputError("read_tokens without read_steps: they name the tokens of these reads", where=channel.where)
    tokens = channel.tokens
    if not is_scheduled(channel):
        return token_counts(
            tokens, initial=channel.initial, producer_firings=producer.passings, consumer_firings=consumer.passings,
            where=channel.where,
        )  # fmt: skip
    of_writes, of_reads = (0, 0) if isinstance(tokens, Rates) else (len(tokens.writes), len(tokens.reads))
    produce, consume = (tokens.produce, tokens.consume) if isinstance(tokens, Rates) else (None, None)
    _check_said_once(channel, "write_steps", channel.write_steps, (1,) if produce is None else produce, of_writes)
    _check_said_once(channel, "read_steps", channel.read_steps, (1,) if consume is None else consume, of_reads)
    written = _counted(channel, channel.write_steps, producer, produce)
    read = _counted(channel, channel.read_steps, consumer, consume)
    if written is not None and read is not None and channel.read_tokens is None:
        ends = producer.passings, consumer.passings
        return counts_in_order(written, read, channel.initial, *ends, channel.where)
    writers, pairs = _writers(channel, producer), _pairs(channel, consumer)
    return counts_of_lists(writers, pairs, channel.initial, producer.passings, consumer.passings, channel.where)


def _check_said_once(channel: Channel, key: str, steps: StepList | None, rates: tuple[int, ...], listed: int) -> None:
    """Rates and lists say nothing of an end that is accessed at steps."""
    if steps is not None and (rates != (1,) or listed):
        other = "writes" if key == "write_steps" else "reads"
        raise InputError(f"{key} beside rates or a list of {other}: both say which access is when", where=channel.where)


def _check_side(channel: Channel, key: str, steps: StepList | None, side: Side) -> None:
    """Steps are given exactly at the scheduled ends, in place of an offset, and fit in their run."""
    writes = key == "write_steps"
    process = channel.source if writes else channel.target
    offset, value = ("from_offset", channel.from_offset) if writes else ("to_offset", channel.to_offset)
    if side.stops is None and steps is not None:
        raise InputError(f"{key} is for scheduled processes, and '{process}' is not one", where=channel.where)
    if side.stops is not None and steps is None:
        raise InputError(f"{key} is missing: process '{process}' is scheduled", where=channel.where)
    if side.stops is not None and steps is not None:
        if value is not None:
            raise InputError(f"{offset} beside {key}: both say which access is when", where=channel.where)
        try:
            check_steps(steps, key, side.stops.schedule.steps)
        except InputError as error:
            raise InputError(str(error), where=channel.where) from None


def _counted(channel: Channel, steps: StepList | None, side: Side, rates: tuple[int, ...] | None) -> Sequence | None:
    """Return the accesses up to each passing; None where the channel lists firings."""
    if steps is not None and side.stops is not None:
        return side.stops.counts(steps)
    return None if rates is None else sequence_of_rates(rates, channel.where)


def _writers(channel: Channel, producer: Side) -> Int64Array:
    """Return the passing of every write."""
    if channel.write_steps is not None and producer.stops is not None:
        return producer.stops.passing(channel.write_steps)
    tokens = channel.tokens
    if isinstance(tokens, Listed):
        return np.array(tokens.writes, dtype=np.int64)
    if isinstance(tokens, Runs):
        return expand_runs(tokens.writes, producer.passings, where=f"{channel.where}: write_runs")
    return _by_rates(tokens.produce, producer.passings)


def _pairs(channel: Channel, consumer: Side) -> Int64Array:
    """Return ``(passing, token)`` of every read, shape ``(reads, 2)``."""
    tokens = channel.tokens
    if channel.read_steps is not None and consumer.stops is not None:
        passing = consumer.stops.passing(channel.read_steps)
    elif isinstance(tokens, Listed):
        return np.array(tokens.reads, dtype=np.int64).reshape(-1, 2)
    else:
        assert isinstance(tokens, Runs)  # reads by rates are counted, unless they are at steps
        passing = expand_runs(tokens.reads, consumer.passings, where=f"{channel.where}: read_runs")
    number = np.arange(len(passing), dtype=np.int64)
    if channel.read_tokens is not None:
        channel.read_tokens.check(f"{channel.where}: read_tokens")
        number = channel.read_tokens.expand()
        if len(number) != len(passing):
            words = f"read_tokens names {len(number)} tokens for {len(passing)} reads (one each, of all runs)"
            raise InputError(words, where=channel.where)
    return np.stack([passing, number], axis=1)


def _by_rates(rates: tuple[int, ...], passings: int) -> Int64Array:
    """Return the passing of every access by cyclic rates."""
    return np.repeat(np.arange(passings, dtype=np.int64), np.resize(np.array(rates, dtype=np.int64), passings))
