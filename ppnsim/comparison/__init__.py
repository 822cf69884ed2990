"""Predictions of models beside simulations, over a sweep: errors, where a model fails, and what explains it.

::

    compare     the door: a source, models, and what varies
    model       points, errors, causes
    regimes     where a model fails
    laws/       the models of this program by name, and a user's own; nothing here runs anything
    run/        what is simulated, one file per kind of source, and the causes of the difference
    report      tables, JSON, CSV; pictures
"""
