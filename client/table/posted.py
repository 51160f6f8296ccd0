# SPDX-License-Identifier: GPL-3.0-or-later
"""Lobbies by post that this home takes part in: kept in separate files until all members know that the table has begun.

A file holds the key and secret of the seat and the nonce before anything signed with them is handed out; so a lobby
survives any crash. Once the table has begun, the store holds its keys, and the file keeps only what others may need to
begin too.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Final, Self, cast

from client.system.context import Context
from client.system.errors import CHECK_FAILED, UserError
from client.system.files import read_at_most, unwritable
from client.system.names import sitter_name
from client.system.texts import _
from client.table.content import own_data
from client.table.home import Seat
from client.table.joining import SeatRequest, lacking, sitter_of, terms_of, whoami
from client.table.letters import Letters
from client.table.lobby import fresh_nonce, judge_name
from client.table.record import Record
from client.table.words import lobby_trouble
from engine.core.agenda import Table as Agreed
from engine.core.dataclass import dataclass, field
from engine.core.registry import GameSpec
from p2p.identity.keys import SigningKey
from p2p.identity.private import write_private
from p2p.identity.tablekey import TableKeys
from p2p.lobby.messages import Seated, Sitter
from p2p.lobby.posted import KINDS, LetterError, LobbyStatement, Place, PostedLobby, state
from p2p.lockstep.genesis import Genesis, nonce_commitment
from p2p.lockstep.machine import TableRefusal
from p2p.log.store import Store
from p2p.reach.ticket import LOBBY
from p2p.wire.address import Address
from p2p.wire.codec import Plain, WireError, decode, encode

FOLDER: Final = "lobbies"
MAX_FILE: Final = 8_000_000


@dataclass(slots=True)
class Posted:
    """One lobby by post.

    Attributes:
        name: the name of the table for people.
        keys, nonce: those of this seat.
        level: the level of the bot that plays here, None for a person.
        port: the port to listen on.
        approved: the answers that this home, as the inviter, admitted.
        declined: the answers that it did not admit.
        begun: the id of the table once it has begun, until then empty.
    """

    name: str
    lobby: PostedLobby
    keys: TableKeys
    nonce: bytes
    level: str | None = None
    port: int = 0
    approved: list[bytes] = field(default_factory=list)
    declined: list[bytes] = field(default_factory=list)
    begun: bytes = b""

    @property
    def me(self) -> bytes:
        return self.keys.key.public

    @property
    def inviting(self) -> bool:
        """True if this home opened the lobby."""
        return self.lobby.invitation.author == self.me

    # In a file -------------------------------------------------------------------------------------------------------

    def keep(self, home: Path) -> None:
        """Write it to its file, durable when this returns. UserError if that fails."""
        said = [self.lobby.invitation, *self.lobby.held()]
        content = encode(
            {
                "name": self.name, "key": self.keys.key.seed(), "secret": self.keys.secret, "nonce": self.nonce,
                "level": self.level, "port": self.port, "approved": self.approved, "declined": self.declined,
                "begun": self.begun, "statements": [each.raw for each in said],
            }
        )  # fmt: skip
        path = home / FOLDER / self.name
        try:
            write_private(path, content)
        except OSError as error:
            raise unwritable(
                path, error, _("Free some space, or make the folder writable; nothing was sent.")
            ) from error

    def forget(self, home: Path) -> None:
        """Remove its file."""
        (home / FOLDER / self.name).unlink(missing_ok=True)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a lobby from its file. UserError when another program wrote it."""
        try:
            noted = cast("dict[str, object]", decode(read_at_most(path, MAX_FILE), limit=MAX_FILE))
            first, *rest = map(LobbyStatement.read, cast("list[bytes]", noted["statements"]))
            lobby = PostedLobby(first)
            for statement in rest:
                lobby.take(statement)
            keys = TableKeys(SigningKey.from_seed(cast("bytes", noted["key"])), cast("bytes", noted["secret"]))
            return cls(
                str(noted["name"]),
                lobby,
                keys,
                cast("bytes", noted["nonce"]),
                cast("str | None", noted["level"]),
                cast("int", noted["port"]),
                cast("list[bytes]", noted["approved"]),
                cast("list[bytes]", noted["declined"]),
                cast("bytes", noted["begun"]),
            )
        except (WireError, LetterError, KeyError, TypeError, ValueError) as error:
            raise UserError(
                "store/note",
                _("The lobby in {path} cannot be read.").format(path=path),
                _("It was written by another version of starlock; use that one."),
            ) from error

    # What comes and what follows -------------------------------------------------------------------------------------

    def read_all(self, statements: Iterable[LobbyStatement], approve: Callable[[Sitter], bool]) -> list[str]:
        """Read statements and add the statements that follow. approve: asks the inviter about a newcomer. Returns
        sentences for the person. UserError when the inviter's roster is not what was asked for."""
        told = []
        for statement in sorted(statements, key=lambda each: KINDS.index(each.kind)):
            if self.lobby.crowded:  # who is declined makes room
                told += self._judged(approve)
            if statement.id not in self.declined:
                self.lobby.take(statement)
        told += self._judged(approve)
        try:
            self.lobby.show(self.keys.key, self.nonce)
        except LetterError as error:
            raise lobby_trouble(error.code, ()) from error
        return told

    def _judged(self, approve: Callable[[Sitter], bool]) -> list[str]:
        """For the inviter: admit newcomers or decline them, and fix the roster once all seats are taken."""
        told: list[str] = []
        if not self.inviting or self.lobby.fixed:
            return told
        self.approved = [place.statement for place in self.seated()]  # nobody by an answer that a later one replaced
        for place in self.lobby.answers():
            if place.statement in self.approved:
                continue
            refusal = self._refusal(place)
            name = sitter_name(place.sitter)
            if refusal is None and not approve(place.sitter):
                refusal = TableRefusal("lobby/declined")
            if refusal is None:
                self.approved.append(place.statement)
                told.append(_("{name} sits down.").format(name=name))
            else:
                self.declined.append(place.statement)
                self.lobby.forget(place)
                trouble = lobby_trouble(refusal.code, refusal.detail)
                told.append(_("{name} does not sit down: {why}").format(name=name, why=trouble.message))
        seating = self.lobby.seating(self.seated())
        if self.lobby.full(seating):
            self.lobby.fix(self.keys.key, seating)
        return told

    def _refusal(self, place: Place) -> TableRefusal | None:
        """Why the inviter's program refuses a newcomer."""
        sitter, mine = place.sitter, self.lobby.inviter.sitter
        if sitter.identity in (mine.identity, *(other.sitter.identity for other in self.seated())):
            return TableRefusal("lobby/yourself")
        if place not in [seated for seated, _seats in self.lobby.seating([*self.seated(), place])]:
            return TableRefusal("lobby/full")
        others = [mine, *(other.sitter for other in self.seated())]
        seats = range(self.lobby.terms.seats)
        return judge_name(sitter, tuple(Seated(each.identity, each.rows(seats), ready=True) for each in others))

    def seated(self) -> list[Place]:
        """The admitted players, each by the latest answer."""
        return [place for place in self.lobby.answers() if place.statement in self.approved]

    def answer(self, sitter: Sitter) -> None:
        """Ask for a seat, perhaps again."""
        mine = [place.number for place in self.lobby.answers() if place.sitter.certificate.key == self.me]
        body: list[Plain] = [max(mine, default=0) + 1, sitter.fields(), nonce_commitment(self.me, self.nonce)]
        self.lobby.take(state(self.keys.key, "answer", self.lobby.lobby, self.lobby.invitation.id, body))

    def begin(self, store: Store) -> Seat | None:
        """Store the table with its keys before anything is signed in it; None while a statement is still missing.
        UserError when it cannot be played."""
        try:
            genesis = self.lobby.genesis()
        except LetterError as error:
            raise lobby_trouble("lobby/roster-without-me", ()) from error
        if genesis is None:
            return None
        self.begun = genesis.table
        known = any(stored.table == genesis.table for stored in store.tables())
        record = self._record(genesis)
        if not known:
            store.add_table(genesis.table, record.info(), self.keys, self.lobby.content)
        return Seat(record, self.keys, new=not known)

    def _record(self, genesis: Genesis) -> Record:
        sitters = [place.sitter for place in self.lobby.places()]
        addresses = {sitter.identity: sitter.places for sitter in sitters}
        return Record(self.name, genesis, level=self.level, port=self.port, addresses=addresses)


def posted_lobbies(home: Path) -> list[Posted]:
    """All lobbies that this home takes part in, in the order of their names. UserError if a file cannot be read."""
    folder = home / FOLDER
    return [Posted.read(path) for path in sorted(folder.iterdir()) if path.name[0] != "."] if folder.is_dir() else []


def invited(
    context: Context,
    spec: GameSpec,
    agreed: Agreed,
    request: SeatRequest,
    places: Sequence[Address],
    taken: Collection[str],
) -> Posted:
    """Open a lobby by post.

    places: the addresses of this home, for live play later.
    taken: names of tables that are in use.

    UserError when the lobby cannot be stored.
    """
    lobby = secrets.token_bytes(LOBBY)
    keys, nonce = TableKeys.generate(), fresh_nonce()
    sitter = sitter_of(whoami(context, request), tuple(places), request, keys, lobby)
    own = own_data(spec)
    body = [terms_of(spec, agreed, request).fields(), sitter.fields(), nonce_commitment(keys.key.public, nonce)]
    invitation = state(keys.key, "invitation", lobby, bytes(32), [*body, *([own] if own else [])])
    posted = PostedLobby(invitation)
    return Posted(_free(posted, taken), posted, keys, nonce, request.level, request.port)


def answered(context: Context, invitation: LobbyStatement, request: SeatRequest, taken: Collection[str]) -> Posted:
    """Take part in somebody's lobby. UserError when the table cannot be played here."""
    try:
        lobby = PostedLobby(invitation)
    except LetterError as error:
        raise lobby_trouble(error.code, ()) from error
    refusal = TableRefusal("lobby/test-seed") if lobby.terms.test else lacking(lobby.terms, lobby.content)
    if refusal is not None:
        raise lobby_trouble(refusal.code, refusal.detail)
    identity = whoami(context, request)
    if identity.public == lobby.inviter.sitter.identity:
        raise lobby_trouble("lobby/yourself", ())
    return Posted(_free(lobby, taken), lobby, TableKeys.generate(), fresh_nonce(), request.level, request.port)


def _free(lobby: PostedLobby, taken: Collection[str]) -> str:
    """A short name for the table that people can type: the game and a few letters of the lobby's id."""
    length = 4
    while (name := f"{lobby.terms.game}-{lobby.lobby.hex()[:length]}") in taken:
        length += 1
    return name


def invitation_in(letters: Letters) -> LobbyStatement:
    """The invitation among these. UserError when there is none, or what is wrong with it."""
    found = next((each for each in letters.statements() if each.kind == "invitation"), None)
    if found is not None:
        return found
    missing = letters.missing()
    raise next(iter(letters.wrong), None) or UserError(
        "post/no-invitation",
        missing[0] if missing else _("There is no invitation in it."),
        _("Letters about a table at which you sit go to: starlock post TABLE --in FILE"),
        CHECK_FAILED,
    )
