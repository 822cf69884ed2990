"""What the command line gives sections besides their names: folders of data that are not part of the project."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(slots=True)
class Given:
    """``designs``: a checkout of the repository of published designs; None = its sources are not here.

    ``own``: also schedule them without the vendor's reports.
    """

    designs: Path | None = None
    own: bool = False


GIVEN = Given()
