"""Predictions of models beside simulations, over a sweep: errors, where a model fails, and what explains it.

::

    compare     models beside the simulation, point by point
    model       points, errors, causes
    sources     what a path or an object is: the subject of its simulation
    regimes     where a model fails
    laws/       the models of this program by name, and a user's own; nothing here runs anything
    run/        what is simulated, one file per kind of source, and the causes of the difference
    report      tables, JSON, CSV; pictures
"""
