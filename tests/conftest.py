"""Fixtures of several test files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ppnsim import Network
from ppnsim.formats.network_json import dump_network
from tests.helpers.commands import Save


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Return a function that writes a network as JSON and returns the path as text."""

    def write(network: Network, name: str = "network.json") -> str:
        path = tmp_path / name
        path.write_text(json.dumps(dump_network(network)), encoding="utf-8")
        return str(path)

    return write
