"""Networks from decoded files, in any of the three formats, with depths that count what is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from ppnsim.errors import InputError
from ppnsim.formats.network_json import parse_network
from ppnsim.formats.scenario import parse_scenario
from ppnsim.formats.sdf3_xml import parse_sdf3
from ppnsim.formats.xml_tree import Element
from ppnsim.model.convention import with_convention
from ppnsim.model.network import Network


def read(data: object, path: Path, *, iterations: int | None = None, convention: str | None = None) -> Network:
    """Return the network of a decoded file, checked.

    Parameters
    ----------
    data : an `Element` of SDF3 XML, the table of a scenario, or the object of network JSON, as the suffix says.
    iterations, convention : see `ppnsim.load_network`.

    Raises
    ------
    InputError
        If the file describes no network that could run.
    """
    return with_convention(_parse(data, path, iterations), convention or usual_convention(path))


def usual_convention(path: str | Path) -> str:
    """Return what depths count in a file of this format.

    Examples
    --------
    >>> usual_convention("h263decoder.xml"), usual_convention("fork_join.toml")
    ('sdf3', 'ppn')
    """
    return "sdf3" if Path(path).suffix == ".xml" else "ppn"


def _parse(data: object, path: Path, iterations: int | None) -> Network:
    if iterations is not None and iterations < 1:
        raise InputError(f"iterations = {iterations} is below 1")
    if isinstance(data, Element):
        return parse_sdf3(data, iterations=iterations or 1)
    if iterations is not None:
        raise InputError("iterations are of SDF3 graphs (.xml); this format gives the firings of each process")
    if path.suffix == ".json":
        return parse_network(data, name=path.stem)
    return parse_scenario(cast("dict[str, Any]", data), name=path.stem)
