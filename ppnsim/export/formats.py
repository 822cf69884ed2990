"""What a network and its run can be written as, known without importing what writes it."""

from typing import Literal

FORMATS = {
    "sdf3": (".xml",), "json": (".json",), "toml": (".toml",), "vcd": (".vcd",), "wavedrom": (".json", ".svg"),
    "perfetto": (".json",), "csv": (".csv",), "parquet": (".parquet",),
}  # fmt: skip
"""Suffixes of the files of each format; a suffix of one format alone says the format, and .json the network's."""
NETWORKS = ("json", "toml", "sdf3")
"""Formats of a network, not of its run."""

Format = Literal["sdf3", "json", "toml", "vcd", "wavedrom", "perfetto", "csv", "parquet"]
Table = Literal["firings", "states", "occupancy", "spans"]
