"""Which release and flow a run of the tool that left its files around a source was of."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from ppnsim.errors import InputError
from ppnsim.hls.reports.tool_run import tool_run
from ppnsim.library.schedule import schedule

LOG = "****** Vitis HLS - High-Level Synthesis from C, C++ and OpenCL v{0}.1 (64-bit)\n"
OLD_LOG = "****** Vivado(TM) HLS - High-Level Synthesis from C, C++ and SystemC v{0} (64-bit)\n"
REPORT = "+ General Information:\n    * Version:        {0}.2 (Build 1)\n    * Solution:       s1 ({1} Flow Target)\n"
XML = "<profile><ReportVersion><Version>{0}</Version></ReportVersion></profile>"
NESTS = """void f(int a[800], int out[8]) {
  for (int i = 0; i < 8; i++) {
    int sum = 0;
    for (int j = 0; j < 100; j++) sum += a[i * 100 + j];
    out[i] = sum;
  }
}
"""


@pytest.mark.parametrize(
    ("files", "release", "flow"),
    [
        ({"vitis_hls.log": LOG.format("2022.2")}, "2022.2", None),
        ({"vivado_hls.log": OLD_LOG.format("2018.3")}, "2018.3", None),
        ({"f_csynth.rpt": REPORT.format("2021.1", "Vitis Kernel")}, "2021.1", "vitis"),
        ({"prj/s1/syn/report/csynth.rpt": REPORT.format("2023.1", "Vivado IP")}, "2023.1", "vivado"),
        ({"s1/syn/report/csynth.xml": XML.format("2019.1")}, "2019.1", None),
        ({"../reports/f_csynth.rpt": REPORT.format("2020.2", "Vitis Kernel")}, "2020.2", "vitis"),
        ({"../vitis_hls.log": LOG.format("2022.2")}, "2022.2", None),
        ({"vitis_hls.log": LOG.format("2022.1"), "../vitis_hls.log": LOG.format("2022.2")}, "2022.1", None),
        # of two runs, neither is taken, nor one from further above
        (
            {
                "a_csynth.rpt": REPORT.format("2022.2", "Vitis Kernel"),
                "b_csynth.rpt": REPORT.format("2021.2", "Vitis Kernel"),
                "../vitis_hls.log": LOG.format("2020.1"),
            },
            "",
            "vitis",
        ),
        ({"other_csynth.rpt": "Version: 2022.2\n", "build.log": LOG.format("2022.2")}, "", None),
    ],
)
def test_logs_and_reports_say_release_and_flow(
    tmp_path: Path, files: dict[str, str], release: str, flow: str | None
) -> None:
    source = tmp_path / "repository" / "src" / "f.cpp"
    source.parent.mkdir(parents=True)
    (source.parents[1] / ".git").mkdir()
    for name, text in files.items():
        file = source.parent / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    found = tool_run(str(source))
    assert (found.release, found.flow) == (release, flow)


@pytest.mark.parametrize("folder", ["repository/.git", "repository"])
def test_nothing_is_taken_from_outside_of_the_repository(tmp_path: Path, folder: str) -> None:
    """Nor of folders beside one that is in none, such as those of other tests."""
    (tmp_path / "vitis_hls.log").write_text(LOG.format("2022.2"), encoding="utf-8")
    (tmp_path / folder).mkdir(parents=True)
    assert not tool_run(str(tmp_path / "repository" / "f.cpp")).release_file


def test_what_is_gone_or_closed_while_folders_are_looked_through_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (".git", "gone", "src"):
        (tmp_path / folder).mkdir()
    (tmp_path / "src" / "vivado_hls.log").mkdir()
    (tmp_path / "src" / "a_hls.log").write_text(OLD_LOG.format("2018.3"), encoding="utf-8")
    (tmp_path / "vitis_hls.log").write_text(LOG.format("2022.2"), encoding="utf-8")
    scan, opened = os.scandir, Path.open

    def gone(path: Any = ".") -> Any:
        if Path(path).name == "gone":
            raise FileNotFoundError(path)
        return scan(path)

    def closed(path: Path, *args: Any, **given: Any) -> Any:
        if path.name == "a_hls.log":
            raise PermissionError(path)
        return opened(path, *args, **given)

    monkeypatch.setattr(os, "scandir", gone)
    monkeypatch.setattr(Path, "open", closed)
    assert tool_run(str(tmp_path / "src" / "f.cpp")).release == "2022.2"


def test_what_is_given_goes_before_a_log_and_what_is_taken_is_said(tmp_path: Path) -> None:
    source = tmp_path / "f.cpp"
    source.write_text(NESTS, encoding="utf-8")
    cycles = {
        each: schedule(source, device="xcu280-fsvh2892-2L-e", release=each).kernels[0].machine.cycles
        for each in ("2022.2", "2019.1")
    }
    assert cycles["2022.2"] != cycles["2019.1"]
    (tmp_path / "vitis_hls.log").write_text(LOG.format("2022.2"), encoding="utf-8")
    found = schedule(source, device="xcu280-fsvh2892-2L-e")
    assert found.kernels[0].machine.cycles == cycles["2022.2"]
    told = f"release 2022.2 is that of {tmp_path / 'vitis_hls.log'}; --release gives another one"
    assert told in found.assumed
    given = schedule(source, device="xcu280-fsvh2892-2L-e", release="2019.1")
    assert given.kernels[0].machine.cycles == cycles["2019.1"]
    assert not [each for each in given.assumed if each.startswith("release")]


def test_what_files_of_the_tool_contradict_and_what_is_not_taken_of_them_is_said(tmp_path: Path) -> None:
    (source := tmp_path / "f.cpp").write_text(NESTS, encoding="utf-8")
    for name, release, flow in (("a", "2022.2", "Vitis Kernel"), ("b", "2021.2", "Vivado IP")):
        text = f"{REPORT.format(release, flow)}    * Target device:  xcu280-fsvh2892-2L-e\n"
        (tmp_path / f"{name}_csynth.rpt").write_text(text, encoding="utf-8")
    one, other = (f"{tmp_path}/{name}_csynth.rpt" for name in "ab")
    words = "files of the tool around the source differ, and none is taken"
    assert schedule(source, flow="vitis").assumed == (
        f"release 2022.2 ({one}) and 2021.2 ({other}): {words}; --release says it",
        "part xcu280-fsvh2892-2L-e of reports around the source is not taken; --device xcu280-fsvh2892-2L-e takes it",
    )
    assert f"flow vitis ({one}) and vivado ({other}): {words}; --flow says it" in schedule(source).assumed
    assert schedule(source, device="xc7z020", release="2022.2", flow="vitis").assumed == ()


def test_a_source_without_a_file_is_refused_as_before(tmp_path: Path) -> None:
    (tmp_path / "vitis_hls.log").write_text(LOG.format("2022.2"), encoding="utf-8")
    with pytest.raises(InputError, match="no such file"):
        schedule(tmp_path / "f.cpp")
