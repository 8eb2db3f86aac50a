"""A file at an address, fetched to the end however often the connection breaks."""

from __future__ import annotations

import base64
import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urlsplit, urlunsplit

from bgsub.base.write_errors import writing
from bgsub.errors import CannotOpen
from bgsub.frames.live import patience
from bgsub.frames.live.address import shown
from bgsub.frames.live.patience import Patience

_BLOCK = 1 << 16
_LISTS = (".m3u8", ".mpd", ".sdp")
_STREAMS = ("multipart/", "mpegurl", "dash+xml")


class Download:
    """A file at an ``http`` or ``https`` address.

    Raises
    ------
    CannotOpen
        From :meth:`fetch` and :meth:`is_file`: it does not answer, or answers with an error.
    """

    def __init__(self, address: str, say: Callable[[str], None]) -> None:
        self._address, self._login = _without_login(address)
        self._name = shown(address)
        self._patience = Patience(self._name, say)
        self._response: Any = None
        self._got, self._total, self._version = 0, 0, ""

    def is_file(self) -> bool:
        """Return whether what is there has an end, so that it can be fetched; a stream has none, as far as is known."""
        self._connect()
        kind = self._response.headers.get("Content-Type", "").lower()
        is_list = urlsplit(self._address).path.lower().endswith(_LISTS)
        if self._total > 0 and not is_list and not any(each in kind for each in _STREAMS):
            return True
        self._response.close()
        return False

    def fetch(self, place: Path) -> None:
        """Write all of it to *place*, after :meth:`is_file` has said yes."""
        with writing(place), place.open("wb") as file:
            while not self._copied(file):
                self._connect()
                file.seek(self._got)
                file.truncate()

    def _copied(self, file: IO[bytes]) -> bool:
        """Write what comes; return whether that was all."""
        reason = "the connection was lost"
        try:
            with self._response as response:
                while block := _received(response):
                    file.write(block)
                    self._got += len(block)
                    self._patience.restore()
        except _Lost as error:
            reason = str(error)
        if self._got >= self._total:
            return True
        self._wait(f"{reason} after {self._got:,} of {self._total:,} bytes")
        return False

    def _connect(self) -> None:
        while True:
            try:
                self._response = self._opened()
                break
            except urllib.error.HTTPError as error:
                if error.code < 500:
                    raise CannotOpen(f"cannot open {self._name}: {error.code} {error.reason}") from None
                self._wait(f"{error.code} {error.reason}")
            except (OSError, http.client.HTTPException) as error:
                self._wait(_words(error))
        if self._response.status != http.HTTPStatus.PARTIAL_CONTENT:
            self._got = 0
            self._total = int(self._response.headers.get("Content-Length") or 0)
            self._version = self._response.headers.get("ETag") or self._response.headers.get(
                "Last-Modified", ""
            )

    def _opened(self) -> Any:
        request = urllib.request.Request(self._address)
        if self._login:
            request.add_header("Authorization", self._login)
        if self._got:
            request.add_header("Range", f"bytes={self._got}-")
        if self._got and self._version:
            request.add_header("If-Range", self._version)
        return urllib.request.urlopen(request, timeout=patience.TIMEOUT)

    def _wait(self, reason: str) -> None:
        if not self._patience.wait(reason):
            raise CannotOpen(f"cannot read {self._name}: {reason}") from None


class _Lost(Exception):
    """The connection broke; the message says how."""


def _received(response: Any) -> bytes:
    # Apart from the writing, whose errors have nothing to do with the connection.
    try:
        return bytes(response.read(_BLOCK))
    except (OSError, http.client.HTTPException) as error:
        raise _Lost(_words(error)) from None


def _words(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        return f"no answer for {patience.TIMEOUT:g} s"
    return str(getattr(reason, "strerror", None) or "the connection was lost").lower()


def _without_login(address: str) -> tuple[str, str]:
    """Return an address without user and password, and the header that gives them."""
    parts = urlsplit(address)
    login, at, host = parts.netloc.rpartition("@")
    if not at:
        return address, ""
    secret = base64.b64encode(unquote(login).encode()).decode()
    return urlunsplit(parts._replace(netloc=host)), f"Basic {secret}"
