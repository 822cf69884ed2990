"""What a key of a file is where it is left out, typed a second time: most files of the tests give it."""

from __future__ import annotations

import re
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

ROOM = Path(__file__).parents[2] / "ppnsim"
_WHOLE = {"style": "elastic", "convention": "ppn"}
_PROCESS: dict[str, Any] = {"ii": 1, "latency": 1, "fixed": False}
_CHANNEL: dict[str, Any] = {"initial": 0, "width": 32, "fixed": False}
_DDR = {"al": 0, "trefi": 7800, "trtrs": 2}
DEFAULTS: dict[str, dict[str, dict[str, Any]]] = {
    "formats/network.py": {"ScenarioToml": _WHOLE},
    "formats/network_json.py": {"JsonProcess": _PROCESS, "JsonChannel": _CHANNEL, "NetworkJson": _WHOLE},
    "formats/network_schema.py": {"WholeKeys": _WHOLE, "ProcessKeys": _PROCESS, "ChannelKeys": _CHANNEL},
    "memory/files/dramsim.py": {
        "SystemKeys": {
            "row_buf_policy": "OPEN_PAGE", "queue_structure": "PER_BANK", "refresh_policy": "RANK_LEVEL_STAGGERED",
            "unified_queue": "False",
        },
        "DdrTiming": _DDR, "HbmTiming": _DDR,
    },
    "memory/files/json.py": {
        "TrafficKeys": {
            "Q": 1, "banks": 0, "burst": 1, "rate": Fraction(0), "wfrac": Fraction(0), "requests": 20000, "seed": 1
        },
    },
    "messages/files/json.py": {"LogGPKeys": {"overhead_per_byte": 0, "receiving": "full", "sharing": "fifo"}},
    "opencl/files/kernel.py": {
        "StepKeys": {"bytes": 0, "carried": False, "reuse": 1, "private": False, "vector": 1},
        "BlockKeys": {"trip": 1}, "BranchKeys": {"share": Fraction(1, 2)}, "OpenclToml": {"vectorise": True},
    },
    "placed/files/toml.py": {
        "LinkKeys": {"overhead": 0, "gap": 0, "clamp": False}, "PortKeys": {"pattern": "stream", "start": 0},
        "PlacedProcessKeys": _PROCESS, "PlacedChannelKeys": _CHANNEL | {"packet": 1},
        "PlacedToml": {"style": "elastic"},
    },
    "platform/files/schema.py": {
        "NodeKeys": {"count": 1}, "TransferKeys": {"overlapped": False, "element": 1}, "ComputeKeys": {"fill": 0},
    },
    "roofline/files/schema.py": {
        "MetricKeys": {"name": "operations"}, "OperatorKeys": {"type": ""}, "SourceKeys": {"file": ""},
        "ArgumentKeys": {"bank": 0, "quanta": 64, "pattern": "stream", "locality": 0, "outstanding": 0, "chains": 1},
        "RooflineToml": {"device": "", "allowance": 0.8},
    },
}  # fmt: skip


def test_keys_that_are_left_out_are_what_is_typed_here() -> None:
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for path in sorted(ROOM.rglob("*.py")):
        if re.search(r"^class \w+\(\w*(?:Keys|BaseModel)\)", path.read_text(encoding="utf-8"), re.MULTILINE):
            file = path.relative_to(ROOM).with_suffix("").as_posix()
            module = import_module(f"ppnsim.{file.replace('/', '.')}")
            for name, kind in vars(module).items():
                if isinstance(kind, type) and kind.__module__ == module.__name__ and hasattr(kind, "model_fields"):
                    fields = {key: each for key, each in kind.model_fields.items() if not each.is_required()}
                    values = {key: each.get_default(call_default_factory=True) for key, each in fields.items()}
                    told = {
                        key: value for key, value in values.items() if isinstance(value, str | int | float | Fraction)
                    }
                    if told:
                        found.setdefault(f"{file}.py", {})[name] = told
    assert found == DEFAULTS
