"""The smallest FIFOs without loss of the published designs: from C++ and from JSON, each answer checked by runs."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ppnsim.engines.run import run
from ppnsim.errors import PpnsimError
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.explore.fifo.stop import Stop
from ppnsim.model.network import Network
from validation.designs.asked import asked
from validation.designs.depths import again, region_of, source_of
from validation.harness.given import GIVEN
from validation.harness.rows import Row, Verdict

GROUP = "smallest depths without loss"
SECONDS = 10.0
"""Of processor time, in which issue 12 asks for the proof."""
_RECORDED = Path(__file__).with_name("sizes.json")


@dataclass(frozen=True, slots=True)
class Sizes:
    """The answer for one network: depths by variable of the source, and what is known of them."""

    depths: Mapping[tuple[str, ...], int]
    lower: int
    finish: int
    seconds: float

    @property
    def total(self) -> int:
        """Tokens of all FIFOs."""
        return sum(depth * len(names) for names, depth in self.depths.items())

    @property
    def proven(self) -> bool:
        """Whether nothing smaller does the same."""
        return self.total == self.lower

    def by_channel(self) -> dict[str, int]:
        """Return the depth of each channel."""
        return {name: depth for names, depth in self.depths.items() for name in names}


def size_rows(design: dict[str, Any]) -> list[Row]:
    """Return the row of the smallest depths of a design that has FIFOs."""
    recorded: dict[str, dict[str, Any]] = json.loads(_RECORDED.read_text(encoding="utf-8"))
    known = recorded.get(design["design"])
    if known is None:
        return []
    row = Row(
        group=GROUP, what=design["design"], source="issue 12: the same total from C++ and from JSON",
        printed=str(known["tokens"]), unit="tokens",
        consistent="the total of the source against that of its network as JSON, as it was recorded",
    )  # fmt: skip
    words = (
        f"{known['fifos']} FIFOs, declared {known['declared']} tokens; saved {known['saved_bits']} bits, no cycle lost"
    )
    if not known["proven"]:
        why = f"not proven in {known['seconds']} s: at most {known['tokens']}, at least {known['lower']} tokens"
        if known["tokens"] == known["lower"]:
            why = f"proven in {known['seconds']} s of processor time, which is more than the {SECONDS:g} s asked for"
        return [replace(row, missing=Verdict.IMPOSSIBLE, note=f"{words}; {why}")]
    words += f"; proven in {known['seconds']} s of processor time when it was recorded"
    if source_of(design) is None:
        return [replace(row, missing=Verdict.NOT_RUN, note=f"its source is not here (--designs); {words}")]
    found = region_of(design)
    own = sized(found.network, [list(each.channels) for each in found.streams])
    wrong = [*_doubts(found.network, own)]
    read = sized(again(found.network), [list(each.channels) for each in found.streams])
    if read.total != own.total:
        wrong.append(f"{own.total} from C++, {read.total} from JSON")
    return [replace(row, ours="; ".join(wrong) or own.total, note=f"{words}; {_proof(found.network, own)}")]


def sized(network: Network, streams: list[list[str]]) -> Sizes:
    """Return the smallest depths without loss of streams, each of which has one depth."""
    begin = time.process_time()
    names = {name for each in streams for name in each}
    limits = {channel.name: None for channel in network.channels if channel.name not in names}
    problem = problem_of([network], groups=[each for each in streams if len(each) > 1], limits=limits)
    answers = FifoSizing(problem=problem, with_front=False, stop=Stop(seconds=12 * SECONDS)).run()
    best = answers.found["lossless"]  # unbounded depths are one, from the first run on
    lower = next((gap.lower for gap in answers.gaps if gap.question == "lossless" and gap.lower), best.cost)
    depths = {each.channels: depth for each, depth in zip(problem.variables, best.vector, strict=True)}
    return Sizes(depths, lower, int(best.time), time.process_time() - begin)


def _doubts(network: Network, sizes: Sizes) -> Iterator[str]:
    """Yield what runs of the whole network say against an answer, its starts and all."""
    finish = run(network.with_depths(sizes.by_channel())).finish
    declared = run(network).finish
    if not finish == sizes.finish == declared:
        yield f"finish {finish}, {sizes.finish} as the search says, {declared} as declared"


def _proof(network: Network, sizes: Sizes) -> str:
    """Return what the total rests on.

    A depth is needed if one token less loses cycles even with all other FIFOs unbounded. If all are, the answer is the
    smallest for any price, and no search is to be trusted.
    """
    open_ = [names[0] for names, depth in sizes.depths.items() if depth > 1 and not _needed(network, sizes, names)]
    if not open_:
        return "one token less anywhere loses cycles, whatever the other depths are (run)"
    return f"{', '.join(open_)} could be smaller if others were larger: that the total is the smallest, the search says"


def _needed(network: Network, sizes: Sizes, names: tuple[str, ...]) -> bool:
    free: dict[str, int | None] = dict.fromkeys(sizes.by_channel())
    outcome = run(network.with_depths(free | dict.fromkeys(names, sizes.depths[names] - 1)), on_deadlock="return")
    return outcome.finish is None or outcome.finish > sizes.finish


def record(design: dict[str, Any]) -> dict[str, Any] | None:
    """Return the figures of a design to be recorded, None if it has no FIFOs."""
    try:
        found = region_of(design)
    except PpnsimError:
        return None
    if not found.streams:
        return None
    return _figures(found.network, sized(found.network, [list(each.channels) for each in found.streams]))


def _figures(network: Network, sizes: Sizes) -> dict[str, Any]:
    channels = [network.channel(name) for name in sizes.by_channel()]
    saved = sum(((each.depth or 0) - sizes.by_channel()[each.name]) * each.width for each in channels)
    return {
        "fifos": len(channels), "declared": sum(each.depth or 0 for each in channels), "tokens": sizes.total,
        "saved_bits": saved, "lower": sizes.lower, "proven": sizes.proven and sizes.seconds < SECONDS,
        "seconds": round(sizes.seconds, 1),
    }  # fmt: skip


def main(arguments: list[str]) -> None:
    """Record the figures of all designs in a checkout: ``python -m validation.designs.sizes DIR``."""
    GIVEN.designs = asked("validation.designs.sizes", main.__doc__, arguments, words=False).folder
    files = (_RECORDED.with_name(name) for name in ("hls_designs.json", "other_families.json"))
    designs = [design for file in files for design in json.loads(file.read_text(encoding="utf-8"))["designs"]]
    rows = {design["design"]: figures for design in designs if (figures := record(design)) is not None}
    lines = [f" {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
    _RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
