# SPDX-License-Identifier: GPL-3.0-or-later
"""A lobby that outlives its process: what it takes to open it again, in a file until its table begins or it is left.

The file holds the ticket's secret and the key of the inviter's seat, so only its owner can read it. The key has signed
nothing but a certificate for this lobby.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Final, Self, TypeAlias, cast

from client.system.errors import UserError
from client.system.files import read_at_most, unwritable
from client.system.texts import _
from engine.core.dataclass import dataclass, field
from p2p.identity.keys import SigningKey
from p2p.identity.private import write_private
from p2p.identity.tablekey import TableKeys
from p2p.reach.answer import holds_answer, read_answers
from p2p.reach.lines import TicketError
from p2p.reach.ticket import LOBBY, SECRET, Ticket, parse_ticket
from p2p.wire.address import Address
from p2p.wire.codec import Plain, WireError, decode, encode

FOLDER: Final = "open"
MAX_FILE: Final = 8_000_000
MOST_ANSWERS: Final = 8
"""Answers that are kept; they are good for ten minutes."""

Players: TypeAlias = tuple[tuple[str, str | None], ...]
"""The name of each person or bot at one machine, with the level of a bot."""


@dataclass(slots=True)
class OpenLobby:
    """What is kept of a lobby.

    Attributes:
        name: its name for people.
        lobby, secret, expiry: those of its ticket.
        keys: those of the inviter's seat.
        game, options, seats, content: what is going to be played; content: empty for the built-in one.
        players, wants: who sits at the inviter's machine, the inviter first, and their seats.
        level: the level of the bot that plays for the inviter, None for a person.
        bots: the levels of the bots that the inviter lets sit down, in turn.
        shown: the name under which it is announced on the LAN, empty for no name, None for no announcement.
        port, local, quiet: where it listens, True if on this machine alone, True to announce nothing on the LAN.
        public, relays: the addresses and relays that the inviter gave.
        ticket: as it was shown last, "" before that.
        admitted: the players of each guest that was let in, by identity.
        answers: the sealed answers that were pasted, each with the time when it expires.
        folder: where its file is; None for a lobby that is not kept.
        pasted: an answer that it is opened with, "" for none.
        trouble: called with why it could not be kept, if that fails while it is open.
    """

    name: str
    lobby: bytes
    secret: bytes
    expiry: int
    keys: TableKeys
    game: str
    options: dict[str, str]
    seats: int
    content: bytes
    players: Players
    wants: tuple[int, ...]
    level: str | None = None
    bots: tuple[str, ...] = ()
    shown: str | None = None
    port: int = 0
    local: bool = False
    quiet: bool = False
    public: tuple[Address, ...] = ()
    relays: tuple[Address, ...] = ()
    ticket: str = ""
    admitted: dict[bytes, Players] = field(default_factory=dict)
    answers: list[tuple[bytes, int]] = field(default_factory=list)
    folder: Path | None = None
    pasted: str = ""
    trouble: Callable[[UserError], None] | None = None
    _seen: object = None

    @property
    def expired(self) -> bool:
        """True if its ticket has expired by the clock of this machine, which may be wrong: so nothing is forgotten."""
        return self.expiry < time.time()

    def before(self) -> Ticket | None:
        """The ticket that was shown last."""
        return parse_ticket(self.ticket) if self.ticket else None

    def sits(self, options: Mapping[str, str], seats: int, players: Players, wants: tuple[int, ...]) -> None:
        """Keep what is offered, who sits at the inviter's machine, and who was let in, if any of it is new."""
        now = dict(options), seats, players, wants, dict(self.admitted)
        if now != self._seen:
            self._seen = now
            self.options, self.seats, self.players, self.wants = now[:4]
            self.keep()

    def answered(self, sealed: bytes, expiry: int) -> None:
        """Note an answer that was pasted."""
        kept = [(each, until) for each, until in self.answers if each != sealed and until > time.time()]
        self.answers = [*kept, (sealed, expiry)][-MOST_ANSWERS:]
        self.keep()

    def open_answers(self, now: float) -> list[bytes]:
        """The sealed answers that have not expired. now: seconds since 1970 (UTC)."""
        return [sealed for sealed, until in self.answers if until > now]

    # In a file -------------------------------------------------------------------------------------------------------

    def keep(self) -> None:
        """Write it to its file, durable when this returns. UserError if that fails and `trouble` is None."""
        if self.folder is None:
            return
        path = self.folder / self.name
        try:
            write_private(path, encode(self._noted()))
        except OSError as error:
            failed = unwritable(path, error, _("Free some space, or make the folder writable."))
            if self.trouble is None:
                raise failed from error
            self.trouble(failed)

    def _noted(self) -> Plain:
        return {
            "name": self.name, "lobby": self.lobby, "secret": self.secret, "expiry": self.expiry,
            "key": self.keys.key.seed(), "table": self.keys.secret, "game": self.game, "options": dict(self.options),
            "seats": self.seats, "content": self.content,
            "players": _listed(self.players), "wants": list(self.wants),
            "level": self.level, "bots": list(self.bots), "shown": self.shown, "port": self.port, "local": self.local,
            "quiet": self.quiet,
            "public": list(self.public), "relays": list(self.relays), "ticket": self.ticket,
            "admitted": [[identity, _listed(players)] for identity, players in self.admitted.items()],
            "answers": [[sealed, until] for sealed, until in self.answers],
        }  # fmt: skip

    def noted(self) -> float:
        """When its file was written last, in seconds since 1970."""
        return 0.0 if self.folder is None else (self.folder / self.name).stat().st_mtime

    def forget(self) -> None:
        """Remove its file: the table has begun, or the inviter has given it up."""
        if self.folder is not None:
            for path in (self.folder / self.name, *self.folder.glob(f".{self.name}.*")):  # half written before a crash
                path.unlink(missing_ok=True)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a lobby from its file. UserError when another program wrote it."""
        try:
            noted = cast("dict[str, object]", decode(read_at_most(path, MAX_FILE), limit=MAX_FILE))
            made = cls(
                str(noted["name"]),
                cast("bytes", noted["lobby"]),
                cast("bytes", noted["secret"]),
                cast("int", noted["expiry"]),
                TableKeys(SigningKey.from_seed(cast("bytes", noted["key"])), cast("bytes", noted["table"])),
                str(noted["game"]),
                cast("dict[str, str]", noted["options"]),
                cast("int", noted["seats"]),
                cast("bytes", noted["content"]),
                _players(noted["players"]),
                tuple(cast("list[int]", noted["wants"])),
                cast("str | None", noted["level"]),
                tuple(cast("list[str]", noted["bots"])),
                cast("str | None", noted["shown"]),
                cast("int", noted["port"]),
                cast("bool", noted["local"]),
                cast("bool", noted["quiet"]),
                tuple(cast("list[str]", noted["public"])),
                tuple(cast("list[str]", noted["relays"])),
                str(noted["ticket"]),
                {identity: _players(of) for identity, of in cast("list[tuple[bytes, object]]", noted["admitted"])},
                [(sealed, until) for sealed, until in cast("list[tuple[bytes, int]]", noted["answers"])],
                path.parent,
            )
            made.before()
        except (WireError, TicketError, KeyError, TypeError, ValueError) as error:
            raise UserError(
                "store/note",
                _("The lobby in {path} cannot be read.").format(path=path),
                _("It was written by another version of starlock; use that one."),
            ) from error
        return made


def _listed(players: Players) -> list[Plain]:
    return [[name, level] for name, level in players]


def _players(noted: object) -> Players:
    return tuple((str(name), level) for name, level in cast("list[tuple[str, str | None]]", noted))


def new_lobby(
    game: str, options: dict[str, str], seats: int, players: Players, wants: Sequence[int], lasts: int
) -> OpenLobby:
    """A lobby with a new id, secret and key that is not kept yet. lasts: seconds for which its ticket is good."""
    lobby, secret, until = secrets.token_bytes(LOBBY), secrets.token_bytes(SECRET), int(time.time()) + lasts
    return OpenLobby("", lobby, secret, until, TableKeys.generate(), game, options, seats, b"", players, tuple(wants))


def kept_in(opened: OpenLobby, home: Path, taken: Collection[str]) -> None:
    """Keep a lobby from now on, under its name or a short new one that people can type. UserError if that fails. taken:
    names that are in use."""
    length = 4
    while not opened.name:
        name = f"{opened.game}-{opened.lobby.hex()[:length]}"
        opened.name, length = "" if name in taken else name, length + 1
    opened.folder = home / FOLDER
    opened.keep()


def open_lobbies(home: Path, begun: Collection[bytes] = ()) -> list[OpenLobby]:
    """The lobbies of this home that can be opened again, the one noted last first. Those whose table has begun are
    forgotten. begun: the lobbies of the tables of this home. UserError if a file cannot be read."""
    folder = home / FOLDER
    paths = [path for path in folder.iterdir() if path.name[0] != "."] if folder.is_dir() else []
    found = []
    for path in sorted(paths, key=lambda each: each.stat().st_mtime, reverse=True):
        lobby = OpenLobby.read(path)
        if lobby.lobby in begun:
            lobby.forget()
        else:
            found.append(lobby)
    return found


def lobby_called(
    lobbies: Sequence[OpenLobby], word: str, opens: Callable[[bytes, bytes], bool]
) -> tuple[OpenLobby, str] | None:
    """The lobby with this name, or to whose ticket there is an answer in this text, even below the ticket itself, or
    with its ticket in it; and the text with the answer, "" for none. None if there is no such lobby.

    opens: True if a sealed answer is for a lobby, by its id.
    """
    named = next((each for each in lobbies if each.name == word), None)
    if named is not None:
        return named, ""
    answered = holds_answer(word)
    for sealed in read_answers(word) if answered else ():
        for each in lobbies:
            if opens(sealed, each.lobby):
                return each, word
    try:
        ticket = parse_ticket(word)
    except TicketError:
        return None
    return next(((each, word if answered else "") for each in lobbies if each.lobby == ticket.lobby), None)
