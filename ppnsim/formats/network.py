"""Networks from decoded files in any of the three formats, and scenario TOML: networks as people write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from pydantic import Field

from ppnsim.errors import InputError
from ppnsim.formats import network_json, sdf3_xml
from ppnsim.formats.complaints import checked, validated
from ppnsim.formats.network_schema import ChannelKeys, ProcessKeys, WholeKeys
from ppnsim.formats.network_values import Dialect
from ppnsim.formats.schema import Text
from ppnsim.formats.xml_tree import Element
from ppnsim.model.network import Network
from ppnsim.model.provenance import saying_nothing_of


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
    network = _parse(data, path, iterations)
    return network if convention is None else network.with_convention(convention)


def _parse(data: object, path: Path, iterations: int | None) -> Network:
    if iterations is not None and iterations < 1:
        raise InputError(f"iterations = {iterations} is below 1")
    if isinstance(data, Element):
        return sdf3_xml.parse_sdf3(data, iterations=iterations or 1).with_convention("sdf3")
    if iterations is not None:
        raise InputError("iterations are of SDF3 graphs (.xml); this format gives the firings of each process")
    if path.suffix == ".json":
        return network_json.parse_network(data, name=path.stem)
    return parse_scenario(cast("dict[str, Any]", data), name=path.stem)


class ScenarioToml(WholeKeys):
    """A whole file."""

    process: dict[Text, ProcessKeys] = Field(default_factory=dict)
    channel: dict[Text, ChannelKeys] = Field(default_factory=dict)


def parse_scenario(data: dict[str, Any], *, name: str = "network") -> Network:
    """Return the network of a decoded scenario; its own ``name`` wins over the one given here.

    Raises
    ------
    InputError
        With all faults of form at once, one line each, or with the first invariant that the network breaks.

    Examples
    --------
    >>> network = parse_scenario({"clock": "200 MHz", "process": {"a": {"firings": 4, "latency": "15 ns"}}})
    >>> network.clock_ns, network.process("a").latency
    (5.0, 3)
    >>> parse_scenario({"clock": "200 MHz", "process": {"a": {"firings": 4, "latency": "12 ns"}}})
    Traceback (most recent call last):
    ppnsim.errors.InputError: process 'a': latency = '12 ns' is 2.4 cycles of 5 ns (a whole number of cycles is needed)
    """
    file = validated(ScenarioToml, data, context=Dialect(units=True))
    network = Network(
        processes=[keys.process(name, file.style) for name, keys in file.process.items()],
        channels=[keys.channel(name) for name, keys in file.channel.items()],
        resources=file.resources,
        clock_ns=file.period,
        name=name if file.name is None else file.name,
    )
    saying_nothing_of(network, [name for name, keys in file.channel.items() if "depth" not in keys.model_fields_set])
    return checked(network).with_convention(file.convention)
