"""Loop programs rewritten: unfolded, cut, merged, skewed, interchanged."""
