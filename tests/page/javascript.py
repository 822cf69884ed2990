"""JavaScript of the page in node, which CI machines have."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import ppnsim

ASSETS = Path(ppnsim.__file__).parent / "page" / "assets"
NODE = shutil.which("node") or shutil.which("nodejs")
needs_node = pytest.mark.skipif(NODE is None, reason="no node on this machine: the page's engine cannot be run")

_DRIVER = """
const Engine = require(process.argv[1] + "/engine.js"), Classes = require(process.argv[1] + "/classes.js");
const told = JSON.parse(require("fs").readFileSync(0, "utf8")).map((model) => {
  const result = Engine.simulate(model);
  const segments = (number) => {
    const { labels, codes } = Classes.of(result, number), found = [];
    codes.forEach((code, cycle) => {
      const { kind, channel, resource } = labels[code];
      const cause = channel === undefined ? resource || null : model.channels[channel].name;
      const last = found[found.length - 1];
      if (!last || last[1] !== kind || last[2] !== cause) found.push([cycle, kind, cause]);
    });
    return found;
  };
  return {
    finish: result.finish, stopped: result.stopped,
    passed: result.processes.map(({ rows }) => rows.map((row) => [...row])),
    holds: result.processes.map(({ holds }) => holds),
    start: result.processes.map(({ start }) => [...start]), end: result.processes.map(({ end }) => [...end]),
    classes: result.processes.map((_, number) => segments(number)),
    occupancy: model.channels.map((_, channel) => Classes.occupancy(result, channel)),
    parallelism: Classes.parallelism(result).most,
  };
});
process.stdout.write(JSON.stringify(told));
"""


def simulated(models: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the page's engine makes of each model."""
    assert NODE is not None
    done = subprocess.run(
        [NODE, "-e", _DRIVER, str(ASSETS)], input=json.dumps(models), capture_output=True, text=True, check=False,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told: list[dict[str, Any]] = json.loads(done.stdout)
    return told
