"""OpenCL kernels on an FPGA board: read, predicted, tuned and executed, after Wang et al.

::

    files/ reader/                   TOML, OpenCL C -> Kernel, Design, board
    block kernel                     the model: basic blocks of steps; loops and branches around them
    design optimise merge            which optimisations are applied, and the kernel after them
    board counts laws potentials     predicted: resources and clock, transactions, cycles, what can still be gained
    predicted tune combinations      a design with its prediction, the advisor's path, all designs
    run transactions                 executed: pipelines of work items, banks of memory
    answer report pictures           all that was asked, as tables, JSON and figures

What predicts never imports what executes.
"""
