"""Records of what is inside: a function in the test file of its subject tells it, and stands here by its name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from tests.golden.told import TOLD, differences

_RECORDS = {
    "kernels": "tests.derive.test_recorded:kernels",
    "networks": "tests.model.test_recorded:networks",
    "analysed": "tests.analysis.test_recorded:analysed",
    "edited_projects": "tests.hls.test_edited:edited_projects",
    "edited_reports": "tests.hls.test_edited:edited_reports",
    "elsewhere": "tests.hls.test_elsewhere:elsewhere",
    "mistakes": "tests.cli.test_mistakes:told",
    "mistakes_in_python": "tests.library.test_mistakes:told",
    "sized": "tests.explore.test_recorded:sized",
    "steps": "tests.hls.test_steps:steps",
    "regions": "tests.source_networks.test_regions:regions",
    "task_walks": "tests.hls.test_walks:walks",
    "lowered": "tests.c.test_recorded:lowered",
    "layouts": "tests.plots.test_layouts:layouts",
    "defaults": "tests.house.test_defaults:defaults",
    "exported": "tests.export.test_recorded:exported",
    "messages": "tests.messages.test_recorded:messages",
    "readers": "tests.formats.test_readers:told",
    "pages": "tests.page.test_recorded:pages",
}


def records() -> list[str]:
    """Return the names of the records."""
    return [*_RECORDS]


def told_record(name: str) -> str:
    """Return what a record's function tells."""
    module, _, function = _RECORDS[name].partition(":")
    return cast("Callable[[], str]", getattr(import_module(module), function))()


def unlike(name: str) -> list[str]:
    """Return what differs from a record; if it is meant: ``python -m tests.golden NAME``."""
    return differences((TOLD / f"{name}.txt").read_text(encoding="utf-8"), told_record(name))
