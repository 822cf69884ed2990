"""What each rule of the scheduler is worth on the published designs: the score without it, nothing of a report used.

``python -m validation.designs.worth DIR [WORD ...]`` schedules the designs whose name holds one of the words once with
all rules, and once without each. It is slow: some minutes for each rule on all designs.

Recorded with ``vitis pom/mvt heterocl/atax heterocl/mvt 220_DSPs synthetic/opt1 opt3/atax``, 13 designs and 42
loops: designs within 1 % and 10 % of RTL and as near as the estimate of the vendor, loops with the right II and with
a depth within 2. Seven rules confirm nothing on these designs (R2.3 one depth); all 72 were not run for each rule. The
last two rows are of an earlier run, whose depths were 40 with all rules.

=============================== === ==== ====== == =====
without                         1 % 10 % nearer II depth
=============================== === ==== ====== == =====
(all rules)                     13  13   13     42 41
stores leave the loop (R1.2)    13  13   13     42 41
small loops unrolled (R1.3)     13  13   13     42 41
flattening (R1.4, R9.2)         3   6    6      38 20
shared operators (R2.3)         13  13   13     42 40
time of addresses (R2.4, R9.14) 13  13   8      42 20
adders of three inputs (R2.7)   13  13   13     42 41
multiply-add (R2.9)             13  13   13     42 41
chaining (R3.1)                 11  12   12     33 41
memory (R4)                     13  13   13     42 41
reuse register (R4.3)           13  13   13     42 41
integer trees (R6.7)            13  13   13     42 41
faster operators (R9.1)         10  10   10     32 39
inferred partitions (R9.3)      13  13   13     42 40
=============================== === ==== ====== == =====
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

from ppnsim.hls.rules import TOOL, Rules
from validation.designs.asked import asked
from validation.designs.depths import reports_of
from validation.designs.own import own_design, score
from validation.designs.section import designs

WITHOUT: dict[str, Rules] = {
    "all rules": TOOL,
    "R1.2 stores of sums leave the loop": replace(TOOL, sink=False),
    "R1.3 small loops are unrolled": replace(TOOL, unroll=False),
    "R1.4, R9.2 nests are flattened": replace(TOOL, flatten=False),
    "R2.3 shared operators": replace(TOOL, sharing=False),
    "R2.4, R9.14 addresses take time": replace(TOOL, addresses=False),
    "R2.7 adders of three inputs": replace(TOOL, ternary=False),
    "R2.9 multiply-add": replace(TOOL, mac=False),
    "R3.1 chaining": replace(TOOL, chaining=False),
    "R4 dependences through memory": replace(TOOL, memory=False),
    "R4.3 reuse register": replace(TOOL, reuse=False),
    "R6.7 trees of integers": replace(TOOL, integers=False),
    "R9.1 faster operators on recurrences": replace(TOOL, pressed=False),
    "R9.3 inferred partitions": replace(TOOL, infer=False),
}
"""The rules without each of those that have a switch."""


def main(arguments: Sequence[str]) -> None:
    """Print the score with all rules, and without each of them."""
    given = asked("validation.designs.worth", __doc__, arguments)
    chosen = [each for each in designs() if not given.words or any(word in each["design"] for word in given.words)]
    for name, rules in WITHOUT.items():
        found = [own_design(each, given.folder, reports_of(given.folder / each["source"]), rules) for each in chosen]
        sys.stdout.write(f"{'' if rules == TOOL else 'without '}{name}: {score(found)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
