"""OpenCL kernels on an FPGA board: read, predicted, tuned and executed.

::

    files/ reader/     TOML, OpenCL C -> Kernel, Design, board
    kernel             the model: basic blocks of steps; loops and branches around them
    design             which optimisations are applied, and the kernel after them
    counts laws        predicted: transactions, resources and clock, cycles, what can still be gained
    tune               a design with its prediction, the advisor's path, all designs
    run                executed: pipelines of work items, banks of memory
    report pictures    all that was asked, as tables, JSON and figures

What predicts never imports what executes.

Source of all sections, equations and figures that files name: Wang et al., A Performance Analysis Framework for
Optimizing OpenCL Applications on FPGAs.
"""
