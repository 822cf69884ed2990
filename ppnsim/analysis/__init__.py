"""Closed forms and estimates, one file per source document; imports no engine, so that comparing means something."""
