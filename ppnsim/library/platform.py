"""``ppnsim.platform``: what a platform is made of, every parameter with its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.errors import InputError
from ppnsim.files import load
from ppnsim.library.answer import Answer
from ppnsim.library.place import Place
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.report.placement import placement_result, print_placement
from ppnsim.platform.files.dump import dump_platform
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.model.presets import preset_system
from ppnsim.platform.report.system import platform_result, print_platform

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure

PlatformLike = PlatformFile | Placement | Place
PRESET = "preset:"


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PlatformListing(Answer):
    """A platform, or a network placed on nodes, part by part; ``held`` is what was read."""

    held: PlatformFile | Placement
    file: str

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        if isinstance(self.held, Placement):
            return placement_result(self.held, file=self.file)
        return platform_result(self.held.system, file=self.file)

    def print(self, console: Console) -> None:
        """Print every part with its parameters."""
        if isinstance(self.held, Placement):
            print_placement(console, self.held)
        else:
            print_platform(console, self.held.system)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each part: its kind and its parameters."""
        return [
            {"kind": kind, **part}
            for kind, parts in self.to_dict().items()
            if isinstance(parts, list | Mapping)
            for part in _parts(parts)
        ]

    def to_toml(self) -> str:
        """Return a platform as TOML, to be changed and run.

        Raises
        ------
        InputError
            If it is a network placed on nodes.
        """
        if isinstance(self.held, Placement):
            raise InputError("is for platforms; this file places a network on nodes", where="--toml")
        return dump_platform(self.held.system, self.held.application)

    def figure(self) -> NotebookFigure:
        """Return the platform as a picture."""
        from ppnsim.placed.pictures.drawing import draw_placement  # matplotlib takes a while to import
        from ppnsim.platform.pictures.drawing import draw_platform
        from ppnsim.plots.shown import shown

        held = self.held
        return shown(draw_placement(held) if isinstance(held, Placement) else draw_platform(held.system))


def platform(given: PlatformLike) -> PlatformListing:
    """List what a platform is made of, every parameter with its source.

    Parameters
    ----------
    given : path of a platform in TOML or of a network placed on nodes, ``preset:NAME``, or what `ppnsim.load` returns.

    Raises
    ------
    InputError
        If the path cannot be read, or there is no such preset.

    Examples
    --------
    >>> platform("preset:src6").to_toml().splitlines()[1]
    'name = "src6"'
    """
    if isinstance(given, PlatformFile | Placement):
        name = given.network.name if isinstance(given, Placement) else given.system.name
        return PlatformListing(held=given, file=name)
    file = str(given)
    if file.startswith(PRESET):
        held: PlatformFile | Placement = PlatformFile(system=preset_system(file.removeprefix(PRESET)), application=None)
    else:
        held = load(file, "Placement", "PlatformFile")
    return PlatformListing(held=held, file=file)


def _parts(parts: Sequence[Any] | Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    if isinstance(parts, Mapping):
        return [{"name": name, **_columns(each)} for name, each in parts.items()]
    return [_columns(each) for each in parts]


def _columns(part: object) -> Mapping[str, Any]:
    return part if isinstance(part, Mapping) else {"value": part}
