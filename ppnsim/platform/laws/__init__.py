"""RATSS's equations and predictions."""
