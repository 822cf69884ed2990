"""From a path to a network: the suffix picks the format, and every error names the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ppnsim.errors import InputError
from ppnsim.formats.decode import DecodeError, decode_json, decode_toml, read_text
from ppnsim.formats.network_json import parse_network
from ppnsim.formats.scenario import parse_scenario
from ppnsim.formats.sdf3_xml import parse_sdf3
from ppnsim.formats.xml_tree import decode_xml
from ppnsim.model.convention import with_convention
from ppnsim.model.network import Network


def load_network(path: str | Path, *, iterations: int | None = None, convention: str | None = None) -> Network:
    """Return the network of a scenario (``.toml``), of network JSON (``.json``) or of SDF3 XML (``.xml``), checked.

    Parameters
    ----------
    path : the file; its suffix says the format.
    iterations : graph iterations of an SDF3 graph, default 1; the other formats say firings themselves.
    convention : what depths count, ``ppn`` or ``sdf3`` (see `with_convention`); None = that of the format.

    Raises
    ------
    InputError
        If the file cannot be read, is not in its format, or describes no network that could run; every line of the
        message begins with the path as it was given.

    Examples
    --------
    >>> load_network("nowhere.toml")
    Traceback (most recent call last):
    ppnsim.errors.InputError: nowhere.toml: no such file
    """
    try:
        return with_convention(_parse(Path(path), iterations), convention or usual_convention(path))
    except DecodeError as error:
        raise error.at(path) from None
    except InputError as error:
        raise InputError("\n".join(f"{path}: {line}" for line in str(error).split("\n"))) from None


def usual_convention(path: str | Path) -> str:
    """Return what depths count in a file of this format.

    Examples
    --------
    >>> usual_convention("h263decoder.xml"), usual_convention("fork_join.toml")
    ('sdf3', 'ppn')
    """
    return "sdf3" if Path(path).suffix == ".xml" else "ppn"


def _parse(file: Path, iterations: int | None) -> Network:
    if iterations is not None and iterations < 1:
        raise InputError(f"iterations = {iterations} is below 1")
    if file.suffix == ".xml":
        return parse_sdf3(decode_xml(read_text(file)), iterations=iterations or 1)
    if iterations is not None and file.suffix in (".toml", ".json"):
        raise InputError("iterations are of SDF3 graphs (.xml); this format gives the firings of each process")
    if file.suffix == ".toml":
        return parse_scenario(_network_alone(decode_toml(read_text(file))), name=file.stem)
    if file.suffix == ".json":
        return parse_network(decode_json(read_text(file)), name=file.stem)
    raise InputError(f"'{file.suffix or file.name}' is no format that can be read (known: .toml, .json, .xml)")


def _network_alone(data: dict[str, Any]) -> dict[str, Any]:
    """Refuse TOML that some commands take as something else; better than to call its tables unknown keys."""
    if "process" in data and "node" not in data:
        return data
    from ppnsim.placed.files.toml import is_placed
    from ppnsim.platform.files.tables import is_platform

    if is_placed(data):
        raise InputError("places a network on nodes, which only ppnsim run, sweep and platform take")
    if is_platform(data):
        raise InputError("describes a platform, not a network (see ppnsim platform --help)")
    return data
