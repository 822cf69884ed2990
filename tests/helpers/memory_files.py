"""A DRAM configuration as files spell it, and copies of it with one thing changed."""

from __future__ import annotations

from typing import Any

# The stock DDR4-2400 configuration of two ranks: cases/dram.json.
CONFIGURATION: dict[str, dict[str, Any]] = {
    "dram_structure": {
        "protocol": "DDR4", "bankgroups": "4", "banks_per_group": "4", "rows": "65536", "columns": "1024",
        "device_width": "8", "BL": "8",
    },
    "timing": {
        "tCK": "0.83", "AL": "0", "CL": "17", "CWL": "12", "tRCD": "17", "tRP": "17", "tRAS": "39", "tRFC": "420",
        "tREFI": "9360", "tRRD_S": "4", "tRRD_L": "6", "tWTR_S": "3", "tWTR_L": "9", "tFAW": "26", "tWR": "18",
        "tRTP": "9", "tCCD_S": "4", "tCCD_L": "6", "tRTRS": "1",
    },
    "system": {
        "channel_size": "16384", "channels": "1", "bus_width": "64", "address_mapping": "rochrababgco",
        "queue_structure": "PER_BANK", "refresh_policy": "RANK_LEVEL_STAGGERED", "row_buf_policy": "OPEN_PAGE",
        "cmd_queue_size": "8", "trans_queue_size": "32",
    },
}  # fmt: skip


def changed(section: str, **keys: Any) -> dict[str, dict[str, Any]]:
    """Return the configuration with keys of a section set."""
    return CONFIGURATION | {section: CONFIGURATION[section] | keys}


def without(file: dict[str, dict[str, Any]], section: str, key: str) -> dict[str, dict[str, Any]]:
    """Return a configuration without a key."""
    return file | {section: {name: value for name, value in file[section].items() if name != key}}


def stacked() -> dict[str, dict[str, Any]]:
    """Return a channel of HBM2, with the keys that such files have instead of tRCD and tRTP."""
    file = without(without(CONFIGURATION, "timing", "tRCD"), "timing", "tRTP")
    return {
        "dram_structure": file["dram_structure"] | {"protocol": "HBM", "rows": 32768, "columns": 64, "BL": 4},
        "timing": file["timing"] | {"tRCDRD": 14, "tRCDWR": 14, "tRTP_L": 6, "tRTP_S": 4},
        "system": file["system"] | {"channel_size": 1024, "bus_width": 128, "unified_queue": False},
    }
