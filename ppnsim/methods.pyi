from ppnsim.formats.network_graph import from_networkx as _from_networkx
from ppnsim.formats.network_graph import to_networkx as _to_networkx
from ppnsim.library.compare import compare as _compare
from ppnsim.library.draw import draw as _draw
from ppnsim.library.estimate import estimate as _estimate
from ppnsim.library.explain import explain as _explain
from ppnsim.library.export import export as _export
from ppnsim.library.figures import gantt as _gantt
from ppnsim.library.figures import occupancy as _occupancy
from ppnsim.library.figures import parallelism as _parallelism
from ppnsim.library.lost import lost as _lost
from ppnsim.library.predict import predict as _predict
from ppnsim.library.report import report as _report
from ppnsim.library.run import run as _run
from ppnsim.library.save import save as _save
from ppnsim.library.save_run import save_run as _save_run
from ppnsim.library.size import size as _size
from ppnsim.library.sweep import sweep as _sweep
from ppnsim.library.tables import run_dict as _run_dict
from ppnsim.library.tables import run_frame as _run_frame
from ppnsim.library.tables import run_print as _run_print
from ppnsim.library.tables import run_rows as _run_rows
from ppnsim.library.theory import suspicions as _suspicions
from ppnsim.model.initial import with_initial as _with_initial
from ppnsim.report.tables import timeline_table as _timeline_table

class NetworkMethods:
    run = _run
    explain = _explain
    estimate = _estimate
    size = _size
    sweep = _sweep
    draw = _draw
    save = _save
    compare = _compare
    predict = _predict
    report = _report
    gantt = _gantt
    occupancy = _occupancy
    parallelism = _parallelism
    suspicions = _suspicions
    lost = _lost
    export = _export
    with_initial = _with_initial
    to_networkx = _to_networkx
    from_networkx = staticmethod(_from_networkx)

class RunMethods:
    figure = _gantt
    gantt = _gantt
    occupancy = _occupancy
    parallelism = _parallelism
    to_frame = _run_frame
    to_dict = _run_dict
    rows = _run_rows
    print = _run_print
    suspicions = _suspicions
    draw = _draw
    report = _report
    save = _save_run
    explain = _explain
    lost = _lost
    export = _export

class TimelineMethods:
    to_frame = _timeline_table
