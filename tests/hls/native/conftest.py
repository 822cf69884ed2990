"""All designs of this folder are compiled with their header precompiled."""

from tests.helpers.precompiled import precompiled_header

__all__ = ["precompiled_header"]
