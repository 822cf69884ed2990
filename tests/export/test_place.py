"""Files that are written whole or not at all, and tables in pieces."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pandas as pd
import pytest

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.export import tables
from ppnsim.export.place import replacing
from ppnsim.export.tables import chunks_of, write_csv, write_parquet
from ppnsim.export.window import Window
from ppnsim.model.builders import chain


def test_a_file_is_one_that_everybody_may_read_with_plain_line_ends(tmp_path: Path) -> None:
    place = tmp_path / "a.txt"
    with replacing(place) as out:
        out.write("é\n")
        assert not place.exists()
    assert place.read_bytes() == b"\xc3\xa9\n"
    assert place.stat().st_mode & 0o777 == 0o644
    with replacing(place, binary=True) as out:
        out.write(b"\x00")
    assert place.read_bytes() == b"\x00"


def test_a_device_takes_what_comes() -> None:
    with replacing(Path(os.devnull)) as out:
        out.write("anything")
    assert not Path(os.devnull).is_file()


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused, replacing(tmp_path / "none" / "a.txt"):
        pass
    assert str(refused.value) == f"{tmp_path / 'none' / 'a.txt'}: cannot be written (No such file or directory)"
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError) as refused, replacing(tmp_path / "folder") as out:
        out.write("")
    assert str(refused.value) == f"{tmp_path / 'folder'}: cannot be written (Is a directory)"
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


def test_states_come_in_pieces_and_none_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = run(chain(firings=4, length=3, ii=(1, 2, 1))).timeline
    window = Window(0, timeline.stopped)
    whole = pd.concat(list(chunks_of(timeline, "states", window)), ignore_index=True)
    for rows in (1, 2, len(whole) - 1, len(whole), len(whole) + 1):
        monkeypatch.setattr(tables, "_ROWS", rows)
        pieces = list(chunks_of(timeline, "states", window))
        assert [len(each) for each in pieces[:-1]] == [rows] * (len(pieces) - 1)
        assert 0 < len(pieces[-1]) <= rows
        assert pd.concat(pieces, ignore_index=True).to_csv() == whole.to_csv()
    out = io.StringIO()
    write_csv(chunks_of(timeline, "states", window), "states", out)
    assert out.getvalue().splitlines()[0] == ",".join(whole.columns)
    assert len(out.getvalue().splitlines()) == len(whole) + 1


def test_without_pyarrow_parquet_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(tables, "import_module", absent)
    with pytest.raises(InputError) as refused:
        write_parquet(iter(()), "firings", io.BytesIO())
    assert str(refused.value) == "Parquet needs pyarrow: pip install 'ppnsim[parquet]' (or write CSV)"
