"""Useful and lost cycles of scheduled kernels.

Source: da Silva et al., A Lost Cycles Analysis for Performance Prediction using High-Level Synthesis.
"""
