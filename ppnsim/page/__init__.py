"""One self-contained HTML page that shows a run and plays it: `build` makes it, `assets` holds its JavaScript."""
