"""From a path to a network: the suffix picks the format, and every error names the file."""

from __future__ import annotations

from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.formats.decode import DecodeError, decode_json, decode_toml, read_text
from ppnsim.formats.network_json import parse_network
from ppnsim.formats.scenario import parse_scenario
from ppnsim.model.network import Network


def load_network(path: str | Path) -> Network:
    """Return the network of a scenario (``.toml``) or of network JSON (``.json``), checked.

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
        return _parse(Path(path))
    except DecodeError as error:
        raise InputError(str(error), where=f"{path}:{error.place}" if error.place else str(path)) from None
    except InputError as error:
        raise InputError("\n".join(f"{path}: {line}" for line in str(error).split("\n"))) from None


def _parse(file: Path) -> Network:
    if file.suffix == ".toml":
        return parse_scenario(decode_toml(read_text(file)), name=file.stem)
    if file.suffix == ".json":
        return parse_network(decode_json(read_text(file)), name=file.stem)
    raise InputError(f"'{file.suffix or file.name}' is no format that can be read (known: .toml, .json)")
