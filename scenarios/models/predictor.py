"""The finish of predictor.c: rows of the transformer follow each other, and each row is a chain of its results.

Try: ppnsim compare scenarios/kernels/predictor.c --model scenarios/models/predictor.py --latency 3
     --vary X=2:5 --vary Y=2:6
"""


def cycles(X, Y, network):  # noqa: N803
    """Only the transformer's own results hold it up: the source is always ahead of it."""
    transformer = network.process("transformer")
    step = transformer.latency + 2  # from a result to the next one that needs it: read, execute, write
    row = (Y - 2) * step + transformer.ii  # the first element of a row needs no element of its own row
    first = Y + step  # the source writes a row and one element before the transformer can start
    return first + (X - 1) * row + 2 * step - 1  # after the last result: its write, and the sink
