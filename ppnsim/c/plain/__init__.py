"""Rewrites the syntax tree of code for synthesis tools into the fewer forms that the lowering knows."""
