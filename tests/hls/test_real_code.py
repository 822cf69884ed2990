"""The measurement on code that people wrote: what it counts, and what is recorded."""

from __future__ import annotations

import json
from pathlib import Path

from validation.designs.real import LIST, RECORD, answers, summary

ENTRY = {"repo": "owner/name", "clock_ns": 10.0, "device": "xc7z020clg400-1"}
SOURCE = """int top(int a[64]) { int s = 0; for (int i = 0; i < 64; i++) s += a[i]; return s; }
void other(int a[64]) { again: a[0] += 1; if (a[0] < 9) goto again; }
"""


def test_functions_are_answered_or_refused_each_in_a_process_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "owner+name").mkdir()
    (tmp_path / "owner+name" / "k.cpp").write_text(SOURCE, encoding="utf-8")
    entries = [
        ENTRY | {"path": "k.cpp", "function": "top", "ref_cycles_min": 60, "ref_cycles_max": 69},
        ENTRY | {"path": "k.cpp", "function": "other"},
        ENTRY | {"repo": "owner/elsewhere", "path": "k.cpp", "function": "top"},
    ]
    top, other = answers(entries, tmp_path)
    assert (top.status, top.cycles, top.reference) == ("answered", 69, (60, 69))
    assert (other.status, other.cycles) == ("refused", None)
    assert other.reason.startswith("k.cpp:2:")
    told = summary([top, other])
    assert told.startswith("2 functions: 1 answered, 1 refused, 0 crashed, 0 hung (50% answered)")
    assert "1 with a report: median error 0.0%, 1 within 10 %" in told


def test_what_is_recorded_is_of_the_functions_of_the_list_and_has_no_crash() -> None:
    listed = {(e["repo"], e["path"], e["function"]) for e in json.loads(LIST.read_text(encoding="utf-8"))["functions"]}
    kept = json.loads(RECORD.read_text(encoding="utf-8"))
    assert {(each["repo"], each["path"], each["function"]) for each in kept} == listed
    statuses = [each["status"] for each in kept]
    assert set(statuses) == {"answered", "refused"}
    assert statuses.count("answered") >= 0.85 * len(statuses)
