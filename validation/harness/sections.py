"""The sections of the validation, in the order of the report."""

from __future__ import annotations

from validation.cprof import section as cprof
from validation.dataflow import section as dataflow
from validation.designs import section as designs
from validation.dram import section as dram
from validation.flows import section as flows
from validation.harness.section import Section
from validation.hls import section as hls
from validation.loggp import section as loggp
from validation.lost import section as lost
from validation.native import section as native
from validation.opencl import section as opencl
from validation.polybench import section as kernels
from validation.ratss import section as ratss
from validation.roofline import section as roofline
from validation.rtl import section as rtl
from validation.timing import section as timing

SECTIONS: tuple[Section, ...] = (
    cprof.SECTION,
    kernels.SECTION,
    timing.SECTION,
    rtl.SECTION,
    dataflow.SECTION,
    hls.SECTION,
    designs.SECTION,
    native.SECTION,
    loggp.SECTION,
    flows.SECTION,
    dram.SECTION,
    ratss.SECTION,
    lost.SECTION,
    roofline.SECTION,
    opencl.SECTION,
)
