# SPDX-License-Identifier: GPL-3.0-or-later
"""The server of the page, on loopback only. An error on a connection ends only that connection."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

import trio

from client.fronts.web.actions import drafted, perform
from client.fronts.web.door import LOOPBACK, SANDBOX, Guard
from client.fronts.web.fragments.deeds import said
from client.fronts.web.http import MOST, MOST_OF_FILE, BadRequestError, Connection, PageRequest
from client.fronts.web.state import StateFeed, script_words
from client.session.deeds import DEEDS
from client.session.deeds.looked import MADE
from client.session.session import Session
from client.session.view import SessionView, view_of
from client.show.document import as_plain
from client.show.html import STYLE
from client.show.markup import Markup
from client.system.errors import UserError
from client.system.texts import _
from client.words.ways import named
from p2p.link.strangers import Strangers

STATIC: Final = Path(__file__).with_name("static")
KINDS: Final = {"html": "text/html", "js": "text/javascript", "css": "text/css"}
PAGES: Final = {
    "/" + ("" if file.name == "page.html" else file.name): (file, f"{kind}; charset=utf-8")
    for file in (*STATIC.iterdir(), STYLE)
    for kind in (KINDS.get(file.name.rpartition(".")[2]),)
    if kind is not None
}
"""Path → file and media type."""
TEXT: Final = "text/plain; charset=utf-8"
REPORTS: Final = "/report/"
STREAMS: Final = 4
"""Most pages that follow the table at once. A browser has six connections to one address: a page more would leave none
for clicks, so the one that was opened first stops following."""
CLOSING: Final = 2.0
"""Seconds for pages to receive their last state."""
BEAT: Final = 15.0
"""Seconds after which a stream without news sends an empty line, so that a page notices a dead server."""


class HomePage(Protocol):
    """What the server knows of the start page; see `client.fronts.web.start.Start`."""

    def perform(self, fields: Mapping[str, Any]) -> Mapping[str, Any]: ...
    def judge(self, data: bytes) -> None: ...
    def drawn(self, view: SessionView) -> Markup: ...


class Server:
    """Shows one session to the pages that hold the key.

    Attributes:
        guard: checks the requests.
        lines: return the lines that pages show besides the session: those of the lobby, and the result of the table.
        over: True after the table has ended here.
        reports: by the name of a finished table, the function that makes its report page.
        streams: how many pages are open.
        visited: True once a page has been open.
        start: the start page; None at a table.
        goes_home: True if there is a start page to go to after the table.
        home: set when the person is done with the ended table: goes there, or quits.
    """

    def __init__(self, session: Session, guard: Guard, log: Callable[..., None]) -> None:
        self.guard = guard
        self.lines: list[Callable[[], str]] = []
        self.over = False
        self.reports: Mapping[str, Callable[[], bytes]] = {}
        self.streams = 0
        self.visited = False
        self.start: HomePage | None = None
        self.goes_home = False
        self.home = trio.Event()
        self._closing = self._ended = False
        self._following: list[trio.Event] = []
        self._made: dict[str | None, tuple[str, str, bytes, str]] = {}
        """By table the secret path of its report page, with media type, content and name; by None the last file that a
        deed has made."""
        self._done: Mapping[str, Any] | None = None
        """The last action on the draft: a second click on its button, or a click in a second tab, does nothing."""
        self._making = trio.Lock()
        self._session, self._log = session, log
        self._news, self._seen = trio.Event(), trio.lowlevel.ParkingLot()
        self._strangers = Strangers()
        """Connections that have shown no key."""

    def changed(self) -> None:
        """Tell every open page that the state has changed."""
        self._news.set()
        self._news = trio.Event()

    async def wait_unseen(self, first: float, farewell: float) -> None:
        """Return when no page has been open for `farewell` seconds, or for the first page after `first` seconds."""
        with trio.move_on_after(first):
            while not self.streams:
                await self._seen.park()
        unseen = False
        while self.streams or not unseen:
            unseen = not self.streams
            with trio.move_on_after(farewell if unseen else float("inf")) as scope:
                await self._seen.park()
            unseen = unseen and scope.cancelled_caught

    async def close(self, *, ended: bool) -> None:
        """Send every page the last state and end its stream. ended: True if this process serves nothing more."""
        self._closing, self._ended = True, ended
        self.changed()
        with trio.move_on_after(CLOSING):
            while self.streams:
                await self._seen.park()

    def _count(self, pages: int) -> None:
        self.streams += pages
        self.visited = True
        self._seen.unpark_all()

    async def connection(self, stream: trio.abc.Stream) -> None:
        """Serve one connection to its end, or until it has shown no key and others need its place. No error here
        reaches the table."""
        place = self._strangers.enter(LOOPBACK)
        try:
            with place:
                async with stream:
                    await self._serve(stream, place)
        except (trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError):
            return  # whoever it was is gone
        except Exception as error:  # noqa: BLE001  # an error ends only this connection
            self._log("web/failed", error=repr(error))
        finally:
            self._strangers.leave(LOOPBACK, place)

    async def _serve(self, stream: trio.abc.Stream, place: trio.CancelScope) -> None:
        connection = Connection(stream)
        while True:
            try:
                request = await connection.request(self._most)
            except BadRequestError as error:
                await connection.respond(error.status, "text/plain", b"")
                return
            if request is None:
                return
            refused = self.guard.refused(request.method, request.path, request.headers)
            if refused is not None:
                stale = _(
                    "This page cannot be shown: its link was used twice, or starlock was started again. "
                    "Type page in the terminal for a new link, or start starlock again."
                )
                await connection.respond(refused, TEXT, stale.encode() if refused == 403 else b"")
                return
            if self.guard.holds_key(request.headers):
                self._strangers.leave(LOOPBACK, place)
            match request.method, request.path:
                case "POST", "/state":
                    await self._stream(connection, request)
                    return
                case "POST", "/report":
                    await connection.respond(*await self._report(request.body))
                case "GET", path if path.startswith(REPORTS):
                    made = [each for each in self._made.values() if path == REPORTS + each[0]]
                    _secret, kind, data, name = made[0] if made else ("", "text/plain", b"", "")
                    await connection.respond(200 if made else 404, kind, data, SANDBOX, name)
                case _:
                    await connection.respond(*self._answer(request))

    def _most(self, head: PageRequest) -> int:
        """A file is read from a page with a key alone."""
        is_file = (head.method, head.path) == ("POST", "/verify") and self.start is not None
        return MOST_OF_FILE if is_file and self.guard.refused(head.method, head.path, head.headers) is None else MOST

    def _answer(self, request: PageRequest) -> tuple[int, str, bytes]:
        match request.method, request.path:
            case "GET", path if path in PAGES:
                file, kind = PAGES[path]
                return 200, kind, file.read_bytes()
            case "POST", "/key":
                key = self.guard.traded(request.body.decode("latin-1"))
                if key is None:
                    self.changed()  # who follows by a key that has ended hears no more
                return (403, "text/plain", b"") if key is None else (200, "text/plain", key.encode())
            case "POST", "/do":
                return self._do(request.body)
            case "POST", "/verify" if self.start is not None:
                self.start.judge(request.body)
                self.changed()
                return 200, "text/plain", b""
        return 404, "text/plain", b""

    async def _report(self, body: bytes) -> tuple[int, str, bytes]:
        """Make a report page, under a path that cannot be guessed."""
        fields = _fields(body or b"{}")
        if fields is None:
            return 400, "text/plain", b""
        if "save" in fields:
            return self._save(fields["save"])
        name = fields.get("table", next(iter(self.reports), None))
        if not isinstance(name, str) or name not in self.reports:
            return 404, TEXT, _("The page could not be made. On the command line: starlock report").encode()
        async with self._making:
            if name not in self._made:
                try:
                    page = await trio.to_thread.run_sync(self.reports[name])
                except UserError as error:
                    self._log("web/report-failed", error=error.code)
                    return 409, TEXT, error.message.encode()
                self._made[name] = secrets.token_urlsafe(16), "text/html; charset=utf-8", page, ""
        return 200, "text/plain", (REPORTS + self._made[name][0]).encode()

    def _save(self, id: object) -> tuple[int, str, bytes]:
        """What a deed writes to a file, for the browser to keep."""
        if not isinstance(id, str) or id not in MADE:
            return 404, TEXT, b""
        if why := DEEDS[id].why_not(self._session, {}):
            return 409, TEXT, why.encode()
        try:
            path = MADE[id](self._session)
        except UserError as error:
            return 409, TEXT, error.message.encode()
        secret = secrets.token_urlsafe(16)
        self._made[None] = secret, "application/octet-stream", path.read_bytes(), path.name
        return 200, "text/plain", (REPORTS + secret).encode()

    def _do(self, body: bytes) -> tuple[int, str, bytes]:
        fields = _fields(body)
        if fields is None:
            return 400, "text/plain", b""
        if self.start is not None:
            answer = self.start.perform(fields)
            self.changed()
        elif fields.get("act") == "home" and self.goes_home and self.over:
            self.home.set()
            answer = {"ok": True}
        elif fields == self._done:
            answer = {"ok": True}
        else:
            answer = perform(self._session, fields, self._log)
            self._done = fields if answer["ok"] and drafted(fields) else self._done
            if self.over and view_of(self._session).left:
                self.home.set()
        text = json.dumps(as_plain(answer), ensure_ascii=False)
        return 200, "application/json", (said(text) if fields.get("html") else named(text, str)).encode()

    async def _stream(self, connection: Connection, request: PageRequest) -> None:
        """Send states until the page closes. Its parts are HTML if the request asks for that."""
        replaced = trio.Event()
        self._following.append(replaced)
        for older in self._following[:-STREAMS]:
            older.set()
            self.changed()
        self._count(1)
        try:
            await connection.begin_stream()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch, connection, nursery.cancel_scope)
                await self._follow(connection, replaced, request)
                nursery.cancel_scope.cancel()
        finally:
            self._following.remove(replaced)
            self._count(-1)

    async def _follow(self, connection: Connection, replaced: trio.Event, request: PageRequest) -> None:
        """Send every new state until the server closes, newer pages take the place of this one, or its key ends."""
        drawn = bool((_fields(request.body) or {}).get("html"))
        feed, closing = StateFeed(self._session, self.lines, self._log, drawn=drawn), False
        while not closing and self.guard.holds_key(request.headers):
            news, closing = self._news, self._closing or replaced.is_set()
            told = {"ended": True} if replaced.is_set() else {}
            words = script_words(elsewhere=True) if replaced.is_set() else None
            report, home = self.over and bool(self.reports), self.over and self.goes_home
            beside = {"start": self.start, "over": self.over, "report": report, "home": home, "ended": self._ended}
            await connection.write(feed.next({**beside, **told}, words))
            while not news.is_set() and not closing:
                with trio.move_on_after(BEAT):
                    await news.wait()
                if not news.is_set():
                    await connection.write(b"\n")
        await connection.end_stream()

    async def _watch(self, connection: Connection, scope: trio.CancelScope) -> None:
        """End the stream when the page has closed."""
        with suppress(OSError, trio.BrokenResourceError, trio.ClosedResourceError):
            await connection.wait_closed()
        scope.cancel()


def _fields(body: bytes) -> dict[str, Any] | None:
    """The JSON object in a request's body; None for anything else, and for texts with half a character, which can
    neither be written nor sent."""
    try:
        fields = json.loads(body)
        json.dumps(fields, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None
