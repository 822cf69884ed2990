"""The time of image_filter.toml by an optimist: computation and transfers of a stage overlap perfectly.

Try: ppnsim compare scenarios/platforms/image_filter.toml --model ratss --model scenarios/models/overlap.py
     --vary stage.filter.compute.ops_per_cycle=1,2,4,8,17,34
"""


def seconds(stage_filter_compute_ops_per_cycle, platform):
    """A stage takes as long as the longer one of its computation and its transfers; nothing else costs time."""
    (stage,) = platform.application.stages
    node = platform.system.group(stage.compute.on, "")
    operations = stage.compute.elements * stage.compute.ops_per_element
    compute = operations / (stage_filter_compute_ops_per_cycle * node.frequency())
    link = platform.system.network(stage.inputs[0].over, "")
    copies = node.count  # each node gets the image in a message of its own
    transfer = sum(copies * each.size * link.byte_gap(each.size) for each in stage.inputs)
    return max(compute, transfer)
