"""Expressions, places and memory: what they evaluate to and the steps that compute it."""
