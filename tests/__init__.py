"""Tests of ppnsim."""
