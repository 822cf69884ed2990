"""The section ``roofline``: its tasks and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ppnsim.files import load_as
from ppnsim.formats.shipped import shipped
from ppnsim.roofline.answer import RooflineAnswer
from ppnsim.roofline.files.toml import RooflineFile
from ppnsim.roofline.laws import roofline
from ppnsim.roofline.pictures import quanta_figure, roofline_figure
from validation.harness.rows import Row
from validation.harness.section import Picture, Section, Task
from validation.roofline.ceilings import MEMORIES, ceiling_rows
from validation.roofline.equations import intensity_rows, memory_rows, peak_rows, wall_rows
from validation.roofline.paper import chart_rows, nbody_rows, smith_waterman_rows, spmv_rows
from validation.roofline.table1 import exploration_rows


def _tasks(quick: bool) -> list[Task]:
    return [
        Task(label="Eq. 1 to 5", work=peak_rows),
        Task(label="Eq. 6 and 7", work=intensity_rows),
        Task(label="Eq. 8 to 11", work=memory_rows),
        Task(label="locality walls", work=wall_rows),
        *(Task(label=f"ceilings of {memory}", work=partial(ceiling_rows, memory)) for memory in MEMORIES),
        Task(label="Fig. 3", work=chart_rows),
        Task(label="N-body", work=nbody_rows),
        Task(label="Smith-Waterman", work=smith_waterman_rows),
        Task(label="SpMV", work=spmv_rows),
        *exploration_rows(quick),
    ]


def _pictures(_rows: Sequence[Row]) -> list[Picture]:
    paths = {each.name: each.path for each in shipped()["roofline"]}
    pictures = []
    captions = {
        "smith_waterman.toml": "As Fig. 7, AWS F1: the roofline of Smith-Waterman with the measured design.",
        "spmv.toml": "As Fig. 8: the baseline of SpMV with the ceilings of A and x.",
    }
    for file, caption in captions.items():
        accelerator = load_as(paths[file], RooflineFile).accelerator
        answer = RooflineAnswer(file=file, accelerator=accelerator, found=roofline(accelerator))
        shown = ["ddr[0]", "hbm[0]"] if file.startswith("spmv") else []
        name = f"roofline-{file.removesuffix('.toml').replace('_', '-')}"
        pictures.append(Picture(name=name, caption=caption, figure=roofline_figure(answer, banks=shown)))
    chart = quanta_figure("U280", {"DDR": (19.2, 64), "HBM": (460 / 32, 32)}, 225, (32, 64, 128))
    caption = "As Fig. 3: bandwidth of a port over the clock, at 225 MHz with a triangle per memory and quanta."
    return [*pictures, Picture(name="roofline-quanta", caption=caption, figure=chart)]


_ABOUT = (
    "Source: Siracusa et al., A Comprehensive Methodology to Optimize FPGA Designs via the Roofline Model, 2021. Every "
    "equation is evaluated on an example worked by hand, the working in the row. The quoted figures of its designs "
    "follow; what its text leaves out is written as an assumption in the row, and a figure that could only be put in "
    "and taken out again is called not reproducible, ours beside it.",
    "The paper prints neither the areas of its profiling library nor the access times P_R behind Fig. 4, nor the "
    "matrices, sequence lengths and numbers of bodies. Ours are the tables of ppnsim/boards and the DRAM "
    "presets, each entry with its provenance. Table 1 is in sample: its kernels are written so that their spaces have "
    "the printed sizes.",
    "The memory ceilings are simulated with the DRAM bank queue of memory/RULES.md at all localities; where that "
    "leaves the law by more than 2 %, the limit that costs it is found by simulating the point without each limit "
    "in turn.",
)
SECTION = Section(
    name="roofline",
    title="FPGA roofline and exploration",
    about=_ABOUT,
    tasks=_tasks,
    pictures=_pictures,
    in_sample=lambda row: row.group.startswith("Exploration: Table 1"),
)
