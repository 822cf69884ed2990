"""What each rule of the scheduler is worth on the published designs: the score without it, nothing of a report used.

``python -m validation.designs.worth DIR [WORD ...]`` schedules the designs whose name holds one of the words once with
all rules, and once without each. It is slow: some minutes for each rule on all designs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ppnsim.hls.rules import TOOL, Rules
from validation.designs.depths import reports_of
from validation.designs.own import own_design, score
from validation.designs.section import designs

WITHOUT: dict[str, Rules] = {
    "all rules": TOOL,
    "R1.4, R9.2 nests are flattened": replace(TOOL, flatten=False),
    "R2.4, R9.14 addresses take time": replace(TOOL, addresses=False),
    "R2.9 multiply-add": replace(TOOL, mac=False),
    "R3.1 chaining": replace(TOOL, chaining=False),
    "R4 dependences through memory": replace(TOOL, memory=False),
    "R6.7 trees of integers": replace(TOOL, integers=False),
    "R9.1 faster operators on recurrences": replace(TOOL, pressed=False),
    "R9.3 inferred partitions": replace(TOOL, infer=False),
}
"""The rules without each of those that have a switch."""


def main(arguments: Sequence[str]) -> None:
    """Print the score with all rules, and without each of them."""
    folder, words = Path(arguments[0]), arguments[1:]
    chosen = [each for each in designs() if not words or any(word in each["design"] for word in words)]
    for name, rules in WITHOUT.items():
        found = [own_design(each, folder, reports_of(folder / each["source"]), rules) for each in chosen]
        sys.stdout.write(f"{'' if rules == TOOL else 'without '}{name}: {score(found)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
