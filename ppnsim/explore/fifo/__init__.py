"""The smallest FIFOs, with proof.

Depth vectors are evaluated one by one, not several in SIMD lanes, nor from what a changed depth can reach on: of a
sizing's processor time the kernels take little (1 % for 251 FIFOs of a residual network, 2 % of a transformer, 10 % of
an image pipeline, 16 % of an FFT of 16 points), so that kernels without any time would gain a factor of 1.2 at most.
"""
