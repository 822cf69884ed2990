"""``Network.save``: a network as a file that reads back as the same network."""

from __future__ import annotations

import sys
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.export.place import replacing
from ppnsim.formats import sdf3_dump
from ppnsim.formats.network_text import SUFFIXES, network_text
from ppnsim.hls.project.suffixes import is_source
from ppnsim.library.subject import NetworkLike, Place, network_file


def save(network: NetworkLike, path: Place, *, convention: str | None = None) -> Path:
    """Write a network to a file, in the format that the suffix says: .toml, .json, or .xml (SDF3).

    Parameters
    ----------
    network : a network, or the path of one.
    path : the file; ``-`` is network JSON to standard output.
    convention : what depths count, ``ppn`` or ``sdf3``; default that of the network.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        If the suffix is none of these, the file cannot be written, or SDF3 cannot say what the network says.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> written = save(chain(firings=4, length=2, latency=1), "-")
    {
      "name": "chain",
      "processes": [
        {"name": "p0", "firings": 4},
        {"name": "p1", "firings": 4}
      ],
      "channels": [
        {"name": "c0", "from": "p0", "to": "p1"}
      ]
    }
    """
    found = network_file(network, convention=convention).network
    if str(path) == "-":
        sys.stdout.write(network_text(found, "-.json"))
        return Path(path)
    place = Path(path)
    suffix = place.suffix.lower()
    if suffix not in (*SUFFIXES, ".xml"):
        words = f"'{place.suffix}' is none of {', '.join((*SUFFIXES, '.xml'))}"
        if is_source(place.name):
            words += f"; a copy of a C++ source with other depths writes ppnsim.size('SOURCE').save('{path}')"
        raise InputError(words, where=str(path))
    text = sdf3_dump.dump_sdf3(found).text if suffix == ".xml" else network_text(found, place)
    with replacing(place) as file:
        file.write(text)
    return place
