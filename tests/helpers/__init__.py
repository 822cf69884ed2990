"""Helpers of the tests: inputs and small tools."""
