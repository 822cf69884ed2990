"""The page in a real browser: it loads without an error, steps, re-simulates with our answer, and tells on hover."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ppnsim.cli.options.cycles import CycleOptions
from ppnsim.cli.options.network import NetworkOptions
from ppnsim.cli.options.source_network import SourceNetworkOptions
from ppnsim.cli.runners.report import entry_under
from ppnsim.engines.run import run
from ppnsim.files import load_network
from ppnsim.library.serve import PageServer
from ppnsim.model.builders import chain, fork_join
from ppnsim.model.network import Network
from ppnsim.page.build import told_of
from ppnsim.page.html import page_of
from ppnsim.page.sections import Origin
from ppnsim.plots.colours import channel_colours
from tests.export.test_export import SCHEDULED
from tests.page.browser import browser, needs_browser

pytestmark = needs_browser
SCENARIOS = Path(__file__).parents[2] / "scenarios/networks"


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with browser() as found:
        yield found


def page(network: Network) -> str:
    return page_of([told_of(run(network, on_deadlock="return"), origin=Origin(file="test"))])


def opened(driver: Any, text: str, tmp_path: Path) -> Any:
    place = tmp_path / "page.html"
    place.write_text(text, encoding="utf-8")
    driver.get_log("browser")
    driver.get(place.as_uri())
    return driver


def errors(driver: Any) -> list[str]:
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]


def finish(driver: Any) -> str:
    return str(driver.execute_script("return document.getElementById('answer').dataset.finish"))


def slide(driver: Any, selector: str, value: int) -> None:
    driver.execute_script(
        "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
        "e.dispatchEvent(new Event('input', {bubbles: true}))", selector, value,
    )  # fmt: skip


@pytest.mark.parametrize("file", ["predictor.toml", "fork_join.toml", "frozen_deadlock.toml", "shared_multiplier.toml"])
def test_scenarios_open_without_an_error_and_agree_with_our_engine(driver: Any, file: str, tmp_path: Path) -> None:
    network = load_network(SCENARIOS / file)
    opened(driver, page(network), tmp_path)
    expected = run(network, on_deadlock="return").finish
    assert finish(driver) == ("deadlock" if expected is None else str(expected))
    assert driver.execute_script("return document.documentElement.dataset.ready") == "yes"
    assert "disagrees" not in driver.find_element("id", "answer").text
    assert errors(driver) == []


def test_a_window_is_what_the_picture_over_time_begins_with(driver: Any, tmp_path: Path) -> None:
    done = run(chain(firings=20, depth=1))
    opened(driver, page_of([told_of(done, origin=Origin(file="test"), window="50ns:120ns")]), tmp_path)
    assert (driver.find_element("id", "view").text, driver.find_element("id", "now").text[:9]) == (
        "cycles 5..11",
        "cycle 5: ",
    )
    driver.find_element("id", "fit").click()
    assert driver.find_element("id", "view").text == f"cycles 0..{done.finish - 1 if done.finish else None}"
    assert errors(driver) == []


def test_columns_of_numbers_stand_right_also_with_units_and_unbounded_depths(driver: Any, tmp_path: Path) -> None:
    opened(driver, page(chain(firings=20, length=3).with_depths({"c0": None, "c1": 2}).checked()), tmp_path)
    right = {each.text for each in driver.find_elements("css selector", "#tables th.n")}
    assert right >= {"tokens", "most held", "depth", "bits", "cycles", "time"}
    assert not right & {"channel", "from", "to", "kind", "because"}


def test_stepping_moves_tokens_and_names_who_waits(driver: Any, tmp_path: Path) -> None:
    opened(driver, page(chain(firings=20, depth=1)), tmp_path)
    seen = set()
    for _ in range(12):
        driver.find_element("tag name", "body").send_keys("\ue014")  # right arrow
        what = "return [...document.querySelectorAll('.token')].map((t) => t.dataset.what).join()"
        seen.add(driver.execute_script(what))
    assert any("written" in each for each in seen)
    assert any("read" in each for each in seen)
    assert driver.find_element("id", "cycle").get_attribute("value") == "12"
    assert "waits for" in driver.find_element("id", "now").text
    assert errors(driver) == []


@pytest.mark.parametrize("style", ["elastic", "flushable", "frozen"])
def test_a_slider_simulates_and_the_finish_is_ours(driver: Any, style: Any, tmp_path: Path) -> None:
    network = fork_join(firings=20, short_depth=2, style=style)
    opened(driver, page(network), tmp_path)
    for depth in (1, 3, 6, 8):
        for channel in ("short_in", "short_out"):
            slide(driver, f"input[type=range][data-channel={channel}]", depth)
        ours = run(network, depths={"short_in": depth, "short_out": depth}, on_deadlock="return").finish
        assert finish(driver) == ("deadlock" if ours is None else str(ours))
    slide(driver, "input[type=range][data-latency=long]", 3)
    slide(driver, "input[type=range][data-ii=short]", 4)
    driver.find_element("id", "reset").click()
    first = run(network, on_deadlock="return").finish
    assert finish(driver) == ("deadlock" if first is None else str(first))
    assert errors(driver) == []


def test_a_depth_between_scheduled_processes_simulates_too(driver: Any, tmp_path: Path) -> None:
    opened(driver, page(SCHEDULED), tmp_path)
    for depth in (1, 2, 3, 6):
        slide(driver, "input[type=range][data-channel=pixels]", depth)
        ours = run(SCHEDULED, depths={"pixels": depth}, on_deadlock="return").finish
        assert finish(driver) == ("deadlock" if ours is None else str(ours))
    assert errors(driver) == []


def test_the_critical_path_is_drawn_for_the_run_as_in_the_file(driver: Any, tmp_path: Path) -> None:
    opened(driver, page(fork_join(firings=20, short_depth=3)), tmp_path)
    assert "critical path" in driver.find_element("id", "legend").text
    slide(driver, "input[type=range][data-channel=short_in]", 5)
    assert "critical path" not in driver.find_element("id", "legend").text
    driver.find_element("id", "reset").click()
    assert "critical path" in driver.find_element("id", "legend").text


def test_a_deadlock_is_named_and_dissolves(driver: Any, tmp_path: Path) -> None:
    opened(driver, page(fork_join(firings=20, short_depth=2, style="frozen")), tmp_path)
    assert "deadlock" in driver.find_element("id", "answer").text
    assert "waits for a slot of short" in driver.find_element("id", "answer").text
    assert driver.find_elements("css selector", ".node.stuck")
    assert "breaks the circle" in driver.find_element("id", "tables").text
    for channel in ("short_in", "short_out"):
        slide(driver, f"input[type=range][data-channel={channel}]", 6)
    assert "finish 55 cycles" in driver.find_element("id", "answer").text
    assert not driver.find_elements("css selector", ".node.stuck")


def test_lines_of_the_source_show_what_their_processes_do(driver: Any, tmp_path: Path) -> None:
    place = SCENARIOS.parent / "kernels/predictor.c"
    options = NetworkOptions(source=SourceNetworkOptions(cycles=CycleOptions(latency=["3"])))
    opened(driver, page_of([entry_under(str(place), options)]), tmp_path)
    assert finish(driver) == "83"
    marked = driver.find_elements("css selector", "#source .at")
    assert [each.text.strip().partition("(")[0] for each in marked] == ["source", "transformer", "sink"]
    assert "starting" in marked[0].get_attribute("class")
    assert "starved" in marked[1].get_attribute("class")
    assert errors(driver) == []


@pytest.mark.parametrize("style", ["elastic", "frozen"])
def test_the_header_names_the_style(driver: Any, style: Any, tmp_path: Path) -> None:
    opened(driver, page(fork_join(firings=20, style=style)), tmp_path)
    assert f"style {style}" in driver.execute_script("return document.getElementById('answer').textContent")


def test_what_can_be_changed_leaves_the_picture_over_time_in_sight(driver: Any, tmp_path: Path) -> None:
    """The sliders stood in a column beside the network, with an empty half page below it."""
    opened(driver, page(fork_join(firings=20)), tmp_path)
    place = "return document.querySelector(arguments[0]).getBoundingClientRect()"
    network, sliders, gantt = (driver.execute_script(place, each) for each in ("#graph", "#sliders", "#gantt"))
    assert network["width"] > 1000 and sliders["height"] < 250 and gantt["top"] < 700
    heads = driver.execute_script(
        "return [...document.querySelectorAll('#sliders h3')].map((h) => h.getBoundingClientRect().top)"
    )
    assert len(heads) == 3 and len(set(heads)) == 1


def test_hover_shows_numbers(driver: Any, tmp_path: Path) -> None:
    from selenium.webdriver import ActionChains

    opened(driver, page(fork_join(firings=20, short_depth=3)), tmp_path)
    ActionChains(driver).move_to_element(driver.find_element("css selector", "[data-process=long] rect")).perform()
    assert "latency 12" in driver.find_element("id", "tip").text
    canvas = driver.find_element("id", "gantt")
    driver.execute_script("arguments[0].scrollIntoView()", canvas)
    lane = 47 - canvas.size["height"] // 2  # the middle of the first process, from the middle of the picture
    ActionChains(driver).move_to_element_with_offset(canvas, 0, lane).perform()
    assert ", cycle " in driver.find_element("id", "tip").text


def test_zoom_reaches_single_cycles_and_the_theme_changes(driver: Any, tmp_path: Path) -> None:
    opened(driver, page(fork_join(firings=200, short_depth=3)), tmp_path)
    for _ in range(8):
        driver.find_element("tag name", "body").send_keys("+")
    first, last = driver.find_element("id", "view").text.removeprefix("cycles ").split("..")
    assert int(last) - int(first) < 8
    before = driver.execute_script("return document.documentElement.dataset.theme || 'light'")
    driver.find_element("id", "theme").click()
    assert driver.execute_script("return document.documentElement.dataset.theme") != before
    assert errors(driver) == []


def test_a_hundred_thousand_firings_open_in_two_seconds(driver: Any, tmp_path: Path) -> None:
    text = page(chain(firings=33_334, length=3, depth=2))
    assert len(text) < 200_000
    times = []
    for _ in range(3):  # other programs share the machine
        opened(driver, text, tmp_path)
        times.append(driver.execute_script("return performance.getEntriesByType('navigation')[0].loadEventEnd"))
        if times[-1] < 2000:
            break
    assert min(times) < 2000
    assert errors(driver) == []


def test_a_network_too_large_for_the_page_says_so_and_shows_runs_made_before(driver: Any, tmp_path: Path) -> None:
    network = chain(firings=200_000, length=3, depth=4)
    opened(driver, page(network), tmp_path)
    assert "computed before, not in this page" in driver.find_element("id", "tables").text
    slide(driver, "#precomputed", 0)
    quarter = run(network, depths={"c0": 1, "c1": 1}).finish
    assert f"finish {quarter} cycles" in driver.find_element("id", "tables").text
    assert errors(driver) == []


def test_serve_follows_the_file(driver: Any, tmp_path: Path) -> None:
    place = tmp_path / "net.toml"
    text = (SCENARIOS / "fork_join.toml").read_text(encoding="utf-8")
    place.write_text(text, encoding="utf-8")
    with PageServer(str(place), partial(entry_under, str(place), NetworkOptions())) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        driver.get(server.url)
        before = finish(driver)
        place.write_text(text.replace("latency = 1\n", "latency = 7\n", 1), encoding="utf-8")
        until = time.monotonic() + 20
        while finish(driver) == before and time.monotonic() < until:
            time.sleep(0.3)
        assert finish(driver) == str(run(load_network(place)).finish)
        place.write_text("name = 3", encoding="utf-8")
        while "net.toml" not in driver.title and "name" not in driver.find_element("tag name", "body").text:
            assert time.monotonic() < until
            time.sleep(0.3)
        server.shutdown()


def test_a_figure_that_is_no_number_never_comes_into_a_page() -> None:
    """JSON has none, and the page's script could not be read."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        page_of([{"name": "a", "finish": float("nan")}])


def test_a_path_that_is_shown_whole_is_not_said_to_be_cut() -> None:
    told = told_of(run(chain(firings=20, depth=1)), origin=Origin(file="chain.toml"))
    assert "the first 200 stretches" not in str(told["sections"])


_DRAWN = """
const canvas = document.querySelectorAll("canvas.still, #gantt")[arguments[0]], seen = new Set();
const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) seen.add(data.slice(at, at + 3).join());
return [...seen];
"""


def colours_drawn(driver: Any, number: int) -> set[str]:
    """Return the colours that a canvas has, as ``#RRGGBB``."""
    found = driver.execute_script(_DRAWN, number)
    return {"#{:02X}{:02X}{:02X}".format(*map(int, each.split(","))) for each in found}


def test_a_channel_has_its_colour_on_the_canvas_and_in_the_drawing(driver: Any, tmp_path: Path) -> None:
    network = fork_join(firings=20, short_depth=3)
    opened(driver, page(network), tmp_path)
    own = {colour for colour, _ in channel_colours(network).values()}
    assert own <= colours_drawn(driver, 0)
    there = "return [...document.querySelectorAll('.wire')].map((each) => each.style.getPropertyValue('--own'))"
    assert driver.execute_script(there) == [colour for colour, _ in channel_colours(network).values()]
    assert "blocked on short_out (" in driver.find_element("id", "legend").text
    assert errors(driver) == []


def test_a_class_has_the_word_of_the_terminal(driver: Any, tmp_path: Path) -> None:
    """It was "ii", also of tasks of C++, whose schedule has no ii."""
    opened(driver, page(chain(firings=4, ii=(1, 5))), tmp_path)
    heads = driver.execute_script("return [...document.querySelectorAll('#live th')].map((each) => each.textContent)")
    assert heads[4:6] == ["starting", "between starts"]
    driver.execute_script(
        "const at = document.getElementById('cycle'); at.value = 5; at.dispatchEvent(new Event('input'))"
    )
    assert "between starts" in driver.execute_script("return document.querySelector('svg').textContent")
    assert not errors(driver)


def test_a_long_run_is_shown_in_columns_and_a_detail(
    driver: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppnsim.page.build.LARGEST", 1)
    network = fork_join(firings=3000, short_depth=3)
    opened(driver, page(network), tmp_path)
    titles = [each.text for each in driver.find_elements("css selector", "#still h2")]
    finish = run(network).finish
    assert finish is not None and titles[:2] == ["Network", f"Over time, cycles 0..{finish - 1}"]
    assert titles[2].startswith("Cycles ") and len(titles) == 3
    own = {colour for colour, _ in channel_colours(network).values()}
    for number in (1, 2):  # behind that of runs that play
        assert own <= colours_drawn(driver, number)
    assert "short_out" in driver.find_element("css selector", "svg.still").text
    assert "blocked on short_out (" in driver.find_element("css selector", "#still .legend").text
    assert not driver.find_element("id", "play").is_displayed()
    driver.find_element("id", "theme").click()
    assert own <= colours_drawn(driver, 1)
    driver.find_element("id", "theme").click()
    assert errors(driver) == []


def test_a_page_that_does_not_play_names_no_keys_that_play(driver: Any, tmp_path: Path) -> None:
    """Pages of placed networks, platforms and messages ended with 'space plays'."""
    entry = told_of(run(chain(firings=2)), origin=Origin(file="test"))
    for told, shown in (entry, True), ({**entry, "model": None, "still": None}, False):
        opened(driver, page_of([told]), tmp_path)
        assert driver.find_element("id", "keys").is_displayed() == shown
        assert errors(driver) == []
