"""The smallest FIFOs, with proof.

Depth vectors are run one by one and whole, not several in SIMD lanes, nor only what a changed depth can reach
(``pytest tests/benchmarks/test_search.py -o addopts="" -s -k could_gain``; figures in the engines' guide):

- Kernels take 2 to 14 % of the processor time of sizes of published shapes, so that kernels without any time would
  gain a factor of 1.2 at most. They take half of that of nine stages that never repeat. Most vectors there are steps of
  a bisection, each of which follows from the one before: eight lanes would make it 3.2 times shorter, and the answer
  come 1.5 times sooner at most, if a run of eight lanes cost what one of a single vector does.
- A change of a depth shows early: 6 to 37 % of the passings come before the first that differs from the run before, of
  nine stages 6 %. To begin there gains 3 % of the processor time at most.
"""
