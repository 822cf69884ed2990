"""The walk that estimates: Python source generated from a loop program, run as it is or compiled."""
