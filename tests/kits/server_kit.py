"""A server of videos that misbehaves as it is told."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Served:
    """What is served, and what was asked for.

    Attributes
    ----------
    data
        The file.
    breaks
        After how many bytes each answer breaks off, one after the other; then none does.
    ranges
        Whether a part can be asked for.
    length
        Whether answers tell their length; one that does not may go on for ever, and goes on from *data* anew.
    pause
        Seconds between blocks of *block* bytes.
    """

    data: bytes
    breaks: list[int] = field(default_factory=list)
    ranges: bool = True
    length: bool = True
    again: bool = False
    block: int = 1 << 16
    pause: float = 0.0
    status: list[int] = field(default_factory=list)
    hang: threading.Event | None = None
    asked: list[dict[str, str]] = field(default_factory=list)
    address: str = ""


@contextmanager
def serving(served: Served) -> Iterator[Served]:
    """Serve at ``served.address`` within the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(served))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    served.address = f"http://127.0.0.1:{server.server_port}/video"
    try:
        yield served
    finally:
        if served.hang is not None:
            served.hang.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(served: Served) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append({**dict(self.headers), "path": self.path})
            if served.hang is not None:
                served.hang.wait(30)
                return
            if served.status:
                self.send_error(served.status.pop(0))
                return
            _answer(self, served)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


def _answer(handler: BaseHTTPRequestHandler, served: Served) -> None:
    part = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
    begin = int(part[1]) if part and served.ranges else 0
    handler.send_response(206 if begin else 200)
    handler.send_header("ETag", '"1"')
    if served.length:
        handler.send_header("Content-Length", str(len(served.data) - begin))
    handler.end_headers()
    left = served.breaks.pop(0) if served.breaks else None
    for at in _places(served, begin):
        block = served.data[at : at + served.block]
        block = block if left is None else block[:left]
        left = None if left is None else left - len(block)
        try:
            handler.wfile.write(block)
        except OSError:
            return
        if left == 0:
            break
        time.sleep(served.pause)
    handler.close_connection = True


def _places(served: Served, begin: int) -> Iterator[int]:
    yield from range(begin, len(served.data), served.block)
    while served.again:
        yield from range(0, len(served.data), served.block)


Say = Callable[[str], None]
