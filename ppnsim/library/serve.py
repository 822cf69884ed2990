"""``ppnsim.report(file, serve=True)``: the page of a file as it is now, and a stamp that changes with the file."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Callable
from functools import lru_cache
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from ppnsim.errors import InputError, PpnsimError
from ppnsim.page.html import page_of

_FOLLOW = """<script>(() => { const stamp = "@stamp@";
setInterval(async () => { if (await (await fetch("/stamp")).text() !== stamp) location.reload(); }, 700);
})();</script>"""


class PageServer(ThreadingHTTPServer):
    """Serves the page of one file on this machine; ``entry`` runs the file and returns what the page shows.

    Raises
    ------
    InputError
        If there is no such file, or the port is taken.
    """

    def __init__(self, file: str, entry: Callable[[], dict[str, Any]], *, port: int = 0) -> None:
        if not Path(file).is_file():
            raise InputError("no such file", where=file)
        self.file = file
        try:
            super().__init__(("127.0.0.1", port), _Handler)
        except OSError as error:
            raise InputError(f"port {port} cannot be used ({error.strerror})", where="--port") from None
        # Several readers, or one that reloads, do not simulate the same file again.
        self.page = lru_cache(maxsize=1)(lambda stamp: _page(file, entry, stamp))

    @property
    def url(self) -> str:
        """The address to open."""
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def stamp(self) -> str:
        """Return what changes when the file does."""
        try:
            told = Path(self.file).stat()
        except OSError:
            return "gone"
        return f"{told.st_mtime_ns}-{told.st_size}"


class _Handler(BaseHTTPRequestHandler):
    server: PageServer

    def do_GET(self) -> None:
        """Answer with the page or the stamp."""
        stamp = self.server.stamp()
        if self.path == "/stamp":
            self._answer(stamp, "text/plain")
        elif self.path == "/":
            self._answer(self.server.page(stamp), "text/html")
        else:
            self.send_error(404)

    def _answer(self, text: str, kind: str) -> None:
        content = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Requests are not worth a line."""


def _page(file: str, entry: Callable[[], dict[str, Any]], stamp: str) -> str:
    try:
        page = page_of([entry()])
    except (PpnsimError, OSError) as error:
        page = f"<!DOCTYPE html><html><body><h1>{escape(file)}</h1><pre>{escape(str(error))}</pre></body></html>"
    return page.replace("</body>", _FOLLOW.replace("@stamp@", stamp) + "</body>")


def serve_forever(server: PageServer, *, open_browser: bool) -> None:
    """Say where the page is, and answer until Ctrl-C."""
    sys.stdout.write(f"{server.file}: {server.url}   (Ctrl-C ends it)\n")
    sys.stdout.flush()
    if open_browser:
        webbrowser.open(server.url)
    server.serve_forever()
