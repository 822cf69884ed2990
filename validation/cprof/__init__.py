"""The figures of the cprof thesis: van Teijlingen, TU Delft 2014."""
