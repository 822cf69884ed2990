"""Networks, runs and sizings in Jupyter: the page in a frame, and under it a table and a picture without JavaScript."""

from __future__ import annotations

from html import escape

from ppnsim.engines.run import run
from ppnsim.errors import PpnsimError
from ppnsim.explore.fifo.sizing import FifoSizing
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.summary import summary_of
from ppnsim.page.build import plays, told_of
from ppnsim.page.html import page_of, table_html
from ppnsim.page.large import data_uri
from ppnsim.page.sections import Origin, Section, cycles_section, section

_HEIGHT = 860  # pixels of the frame
_SIMULATED = 200_000  # firings and tokens of a network that is run to be shown


def html_of(shown: object) -> str:
    """Return a network, a run or a sizing as HTML.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> text = html_of(run(predictor()))
    >>> "<iframe srcdoc=" in text, "<table>" in text, "data:image/png" in text
    (True, True, True)
    """
    try:
        if isinstance(shown, Network):
            return _network(shown)
        if isinstance(shown, Run):
            return _run(shown)
        assert isinstance(shown, FifoSizing)
        return _sizing(shown)
    except PpnsimError as error:
        return f"<pre>{escape(str(error))}</pre>"


def _network(network: Network) -> str:
    if network.checked().events <= _SIMULATED:
        return _run(run(network, on_deadlock="return"))
    rows = [[each.name, each.firings, each.ii, each.style] for each in network.processes]
    note = f"{network.name}: {network.events} firings and tokens, too many to be run just to be shown (ppnsim.run does)"
    return f"<p>{escape(note)}</p>{table_html(section('Processes', ['process', 'firings', 'ii', 'style'], rows))}"


def _run(done: Run) -> str:
    summary = summary_of(done)
    flat = _flat(done, [cycles_section(summary)])
    return (
        f"{_frame(done)}<details><summary>as a table and a picture</summary>{flat}</details>"
        if plays(summary)
        else flat
    )


def _frame(done: Run) -> str:
    return framed(page_of([told_of(done, origin=Origin(file="(in a notebook)"))]))


def framed(page: str) -> str:
    """Return a page as HTML that can stand in another one."""
    return f'<iframe srcdoc="{escape(page)}" style="width:100%;height:{_HEIGHT}px;border:1px solid #ccc"></iframe>'


def _flat(done: Run, sections: list[Section]) -> str:
    from ppnsim.plots.network import draw_network  # matplotlib takes a while to import

    answer = str(done.deadlock) if done.finish is None else f"{done.network.name}: finish {done.finish} cycles"
    tables = "".join(table_html(each) for each in sections)
    picture = data_uri(draw_network(done.network, run=done))
    return f'<p><b>{escape(answer)}</b></p>{tables}<img alt="the network" style="max-width:100%" src="{picture}">'


def _sizing(sizing: FifoSizing) -> str:
    """Show the depths that were found, and the network with the best of them, to be played with."""
    answers, problem = sizing.answers, sizing.problem
    if not answers.unbounded:
        return "<p>not searched yet: call run()</p>"
    names = [" = ".join(problem.variables[index].channels) for index in problem.choices]
    found = answers.found
    rows: list[list[object]] = [
        [
            question,
            each.cost,
            str(each.time),
            "proven" if each.certified else "not proven",
            *(each.vector[index] for index in problem.choices),
        ]
        for question, each in found.items()
    ]
    rows += [[gap.question, None, None, gap.not_searched, *(None for _ in names)] for gap in answers.gaps]
    table = table_html(section("Smallest depths", ["question", "cost", problem.objective.name, "", *names], rows))
    best = found.get("lossless") or found.get("target") or found.get("deadlock_free")
    if best is None:
        return table
    depths = problem.depths(best.vector)
    return table + _network(problem.networks[0].with_depths(depths))
