"""Dataflow graphs with exact answers of SDF3, Kiter and a separate simulator."""
