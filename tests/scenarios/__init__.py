"""Tests of the shipped scenarios."""
