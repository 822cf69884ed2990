"""The sections of the validation, in the order of the report."""

from __future__ import annotations

from validation import dram, flows, kernels, loggp, rtl, timing
from validation.cprof import section as cprof
from validation.dataflow import section as dataflow
from validation.hls import section as hls
from validation.lost import section as lost
from validation.opencl import section as opencl
from validation.ratss import section as ratss
from validation.roofline import section as roofline
from validation.section import Section

SECTIONS: tuple[Section, ...] = (
    cprof.SECTION,
    kernels.SECTION,
    timing.SECTION,
    rtl.SECTION,
    dataflow.SECTION,
    hls.SECTION,
    loggp.SECTION,
    flows.SECTION,
    dram.SECTION,
    ratss.SECTION,
    lost.SECTION,
    roofline.SECTION,
    opencl.SECTION,
)
