"""Exploration of directives by Algorithm 1 of the roofline paper."""
