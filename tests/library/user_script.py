"""A script of a user, which mypy reads strictly and a test runs: it uses what the library offers."""

from __future__ import annotations

from pathlib import Path

import ppnsim
from ppnsim import Channel, Network, Process


def main(folder: Path) -> list[str]:
    """Build, run, size, sweep, explain, compare, draw and save a network; then kernels, boards and platforms."""
    network = Network(
        processes=[Process(name="camera", firings=64), Process(name="lines", firings=4, ii=16, latency=20)],
        channels=[Channel(name="pixels", source="camera", target="lines", tokens=ppnsim.Rates(1, 16), depth=16)],
        clock="200 MHz",
    )
    said = [repr(network)]
    run = network.run()
    finish: int | None = run.finish
    said.append(f"finish {finish}, {run.time_ns} ns")
    said.append(str(len(run.timeline.to_frame())) + str(run.to_frame("channels").loc["pixels", "max_occupancy"]))
    for name, figure in {
        "gantt": run.gantt(window=(0, 60)), "occupancy": run.occupancy(), "parallelism": run.parallelism(),
        "network": run.draw(),
    }.items():  # fmt: skip
        figure.save(folder / f"{name}.svg")
    sized = network.size(front=False)
    depths: dict[str, int] = sized.depths
    said.append(f"{depths} {sized.network.run().finish}")
    told = network.explain(top=2)
    said += told.sentences
    table = network.sweep({"pixels.depth": range(16, 20), "clock": ["100 MHz", "5 ns"]})
    said.append(f"{table.to_frame()['finish'].min()} {table.best}")
    estimate = network.estimate()
    said.append(f"{estimate.absolute.finish} {estimate.bounds[0].cycles}")
    network.save(folder / "net.toml")
    again = ppnsim.load(folder / "net.toml")
    said.append(f"the same: {again == network} {Network.from_networkx(network.to_networkx()) == network}")
    said.append(repr(network.lost()) + repr(network.export(folder / "run.vcd")))
    shipped = ppnsim.scenarios()
    kernel = ppnsim.profile(shipped["predictor.c"], latency=3)
    said.append(f"{kernel.kernels[0].estimate.absolute.finish}")
    said.append(repr(ppnsim.derive(shipped["predictor.c"], latency=3)))
    said.append(repr(ppnsim.transform(shipped["predictor.c"])))
    scheduled = ppnsim.schedule(shipped["gesummv.c"], defines={"N": "8"}, clock="5 ns")
    said.append(f"{scheduled.kernels[0].machine.cycles} {scheduled.to_frame()['ii'].max()}")
    said.append(f"{ppnsim.opencl(shipped['vecadd.toml'], simulate=False).cycles:.0f}")
    said.append(repr(ppnsim.roofline(shipped["nbody.c"], clock="156.25 MHz")))
    said.append(f"{ppnsim.estimate(shipped['image_filter']).seconds:.3g}")
    said.append(repr(ppnsim.platform("preset:src6")))
    said.append(f"{ppnsim.memory('DDR4-2400').dram.peak_gbps:.1f}")
    compared = ppnsim.compare(network, ["absolute"], vary={"pixels.depth": range(16, 18)})
    said.append(repr(compared))
    try:
        network.with_depths({"pixels": 8}).run()
    except ppnsim.DeadlockError as error:
        said.append(str(ppnsim.fix_deadlock(error.run)))
    return said


if __name__ == "__main__":
    print("\n".join(main(Path())))  # noqa: T201
