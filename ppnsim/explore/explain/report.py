"""An explanation for the terminal: sentences first, then the path, the slack, and what changes save."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from ppnsim.analysis.path.critical_path import CriticalPath
from ppnsim.analysis.path.path_shares import CHANNEL_KINDS, PROCESS_KINDS
from ppnsim.explore.explain.divided import alone
from ppnsim.explore.explain.explanation import LISTED, Explanation, cycles_of
from ppnsim.explore.explain.slack import Slack
from ppnsim.explore.explain.way import COLUMNS, way_rows
from ppnsim.report.text import plain_line, plain_table, style_words
from ppnsim.units import duration

_SHOWN = 12  # stretches of the path


def print_explanation(console: Console, told: Explanation, said: Sequence[str], *, seconds: float) -> None:
    """Print the answer and what is ``said`` of it, where the cycles of the path are, its way, slack, what changes save.

    ``said`` are `sentences`, with those of a source.
    """
    path, network = told.path, told.run.network
    asked = told.asked
    head = f"{network.name}   finish {asked.finish} cycles ({duration(asked.time_ns)})   engine {asked.engine}"
    plain_line(console, f"{head}   {style_words(network)}   {seconds:.2f} s")
    for sentence in said:
        plain_line(console, f"  {sentence}")
    _print_shares(console, told)
    _print_way(console, path)
    _print_slack(console, told)
    ran = "it" if told.counts_all else f"those {path.finish} cycles"
    for claim in sorted(told.claims, key=lambda claim: told.cycles if claim.saves is None else -claim.saves):
        if claim.saves != 0:
            plain_line(console, f"checked by running {ran}: {claim}")
    if told.divided:
        plain_line(console, f"checked by running {ran}: {told.divided}")
    if words := alone(network, told.claims):
        plain_line(console, words)
    if useless := [str(claim.change) for claim in told.claims if claim.saves == 0]:
        plain_line(console, f"checked by running {ran}: no cycle is saved by {', '.join(useless)}")
    if told.interrupted:
        plain_line(console, "interrupted: other changes were not tried")


def _print_shares(console: Console, told: Explanation) -> None:
    table = plain_table("on the critical path", "of", "cycles", "share", "times", right=(2, 3, 4))
    finish = max(told.cycles, 1)
    for share in told.shares:
        percent = _percent(share.cycles / finish)
        table.add_row(share.kind, escape(share.part), str(share.cycles), percent, str(share.count))
    console.print(table)


def _percent(share: float) -> str:
    return "< 0.01 %" if 0 < share < 1e-4 else f"{100 * share:.3g} %"


def _print_way(console: Console, path: CriticalPath) -> None:
    table = plain_table(*COLUMNS, right=(0, 1))
    rows = way_rows(path, _SHOWN + 1)
    for cycles, count, process, lacked in rows[:_SHOWN]:
        table.add_row(cycles, str(count), escape(process), escape(lacked))
    if len(rows) > _SHOWN:
        table.add_row("...", "", "", f"(--json lists up to {LISTED})")
    console.print(table)


def _print_slack(console: Console, told: Explanation) -> None:
    """Print cycles on the path and slack side by side: what is on the path has none."""
    network, slack = told.run.network, told.slack
    if not isinstance(slack, Slack):
        plain_line(console, slack)
        return
    table = plain_table("process", "cycles on the path", "starts can be later by", right=(1, 2))
    for process in network.processes:
        cycles = cycles_of(told.shares, process.name, *PROCESS_KINDS)
        table.add_row(escape(process.name), str(cycles), _cycles(slack.starts[process.name]))
    console.print(table)
    if not network.channels:
        return
    table = plain_table(
        "channel", "cycles on the path", "tokens can be later by", "slots can be later by", right=(1, 2, 3)
    )
    for channel in network.channels:
        table.add_row(
            escape(channel.name), str(cycles_of(told.shares, channel.name, *CHANNEL_KINDS)),
            _cycles(slack.tokens[channel.name]), _cycles(slack.slots[channel.name]),
        )  # fmt: skip
    console.print(table)


def _cycles(slack: int | None) -> str:
    return "any" if slack is None else str(slack)
