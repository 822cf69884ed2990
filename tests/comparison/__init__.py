"""Tests of models beside simulations."""
