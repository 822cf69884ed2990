"""A script of a user, which mypy reads strictly and a test runs: it uses what the library offers."""

from __future__ import annotations

from pathlib import Path

import ppnsim
from ppnsim import Channel, Network, Process


def main(folder: Path) -> list[str]:
    """Build, run, size, sweep, explain, compare, draw and save a network; then kernels, boards and platforms."""
    network = Network(
        processes=[Process(name="camera", firings=64), Process(name="lines", firings=4, ii=16, latency=20)],
        channels=[Channel(name="pixels", from_="camera", to="lines", tokens=ppnsim.Rates(1, 16), depth=16)],
        clock="200 MHz",
    )
    run = network.run()
    finish: int | None = run.finish
    said = [repr(network), f"finish {finish}, {run.time_ns} ns", str(run.to_frame("channels").loc["pixels"].to_dict())]
    for figure in (run.gantt(window="0:60"), run.occupancy(window=(0, 60)), run.parallelism(window="0ns:300ns")):
        figure.save(folder / "picture.svg")
    network.draw().save(folder / "network.svg")
    sized = network.size(front=False, cost="bits", objective="finish", within=0.05, seconds=60)
    depths: dict[str, int] = sized.depths
    sized.save(folder / "sized.toml")
    said += [
        f"{depths} {network.with_depths({'pix*': 32}).run().finish} {sized.network.run().finish}",
        *network.explain(top=2).sentences,
        repr(network.lost()),
    ]
    table = network.sweep({"pixels.depth": range(16, 20), "clock": ["100 MHz", "5 ns"]})
    said.append(f"{table.to_frame()['finish'].min()} {table.best}")
    estimate = network.estimate()
    said.append(f"{estimate.absolute.finish} {estimate.bounds[0].cycles}")
    predicted: float | None = ppnsim.predict(network, "bounds").value
    said.append(f"{predicted} {ppnsim.absolute(folder / 'sized.toml').finish}")
    compared = ppnsim.compare(network, ["absolute"], vary={"pixels.depth": range(16, 18)})
    said.append(f"{compared.models[0].regime}")
    network.save(folder / "net.toml")
    again = ppnsim.load(folder / "net.toml")
    said.append(f"the same: {again == network} {Network.from_networkx(network.to_networkx()) == network}")
    said += [repr(network.export(folder / "run.vcd")), repr(ppnsim.report(run)), repr(ppnsim.lesson(1))]
    shipped = ppnsim.scenarios()
    kernel = ppnsim.profile(shipped["predictor.c"], latency=3)
    said.append(f"{kernel.kernels[0].estimate.absolute.finish}")
    said += [repr(ppnsim.derive(shipped["predictor.c"], latency=3)), repr(ppnsim.transform(shipped["predictor.c"]))]
    scheduled = ppnsim.schedule(shipped["gesummv.c"], defines={"N": "8"}, clock="5 ns", release="2022.2", worst=True)
    said.append(f"{scheduled.kernels[0].machine.cycles} {scheduled.to_frame()['ii'].max()}")
    said.append(f"{ppnsim.opencl(shipped['vecadd.toml']).cycles:.0f}")
    said.append(repr(ppnsim.roofline(shipped["nbody.c"], clock="156.25 MHz")))
    terms = ppnsim.estimate(shipped["image_filter"], simulate=True)
    said += [f"{terms.to_frame()['difference'].max():.3g}", repr(ppnsim.platform("preset:src6"))]
    said.append(f"{ppnsim.memory('DDR4-2400').dram.peak_gbps:.1f}")
    said.append(str(ppnsim.fix_deadlock(network.with_depths({"pixels": 8}))))
    return said


if __name__ == "__main__":
    print("\n".join(main(Path())))  # noqa: T201
