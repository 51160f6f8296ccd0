# SPDX-License-Identifier: GPL-3.0-or-later
"""A lobby by post: signed statements that all homes pass on, and the genesis that follows from them. Sans-IO.

    invitation   the inviter    what is played, who sits there, the hash of its nonce, the table's own content
    answer       a guest        who sits there, the hash of its nonce; of several by one guest the latest counts
    roster       the inviter    which answers count, and which seats they get
    nonce        each member    its nonce, for the one roster

Statements may come in any order, twice or late. The roster, its answers and all nonces determine the genesis, so it is
not sent. As in the lobby of `invite` and `guest`, nobody can choose the table's id: a member shows its nonce only for
the first roster that it holds, and the roster names the hashes of all nonces.

A letter contains the statements that one home holds, and after the start also a bundle of the table:

    magic and version    length of the statements in 4 bytes    statements    check    bundle

The check is the beginning of the hash of all bytes before it, in every version, so that a letter that was damaged on
its way is not taken for one of another writer or version.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Final, Self

from engine.core.dataclass import dataclass, field, replace
from p2p.identity.keys import SigningKey
from p2p.lobby.messages import Sitter, Terms, read_content
from p2p.lockstep.genesis import MAX_MEMBERS, NONCE, Genesis, Member, nonce_commitment
from p2p.wire.codec import Plain, Value, WireError, decode, encode
from p2p.wire.content import MAX_CONTENT
from p2p.wire.signing import SIGNATURE_BYTES, verify
from seeds.hashing import H

MAGIC: Final = b"starlock lobby "
VERSION: Final = b"1"
CHECK: Final = 8
"""Bytes of the check."""
MAX_STATEMENT: Final = MAX_CONTENT + 16_000
MAX_STATEMENTS: Final = 64
"""The most statements of a letter, and the most that a home holds before the roster says what counts."""
KINDS: Final = ("invitation", "roster", "answer", "nonce")
"""In the order in which those of a letter are taken: a roster says which answers count, and these which nonces."""


class LetterError(Exception):
    """Bytes are not a valid letter, or a lobby cannot go on. code: "letter/version", "letter/damaged",
    "letter/signature", "lobby/protocol" (of the inviter, another version), "lobby/roster-without-me" (the roster does
    not seat this member as it asked)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class LobbyStatement:
    """One signed statement of a lobby.

    Attributes:
        lobby: 16-byte id of the lobby.
        about: id of the statement that it refers to.
        author: the author's table key.
    """

    kind: str
    lobby: bytes
    about: bytes
    author: bytes
    body: Value
    raw: bytes = field(repr=False)

    @property
    def id(self) -> bytes:
        return H("lobby statement", self.raw)

    @classmethod
    def read(cls, raw: bytes) -> Self:
        """Return the statement in these bytes after checking its signature. Raises LetterError."""
        try:
            match decode(raw, limit=MAX_STATEMENT):
                case [str(kind), bytes(lobby), bytes(about), bytes(author), body, bytes(signature)] if kind in KINDS:
                    said = H("lobby by post", encode([kind, lobby, about, author, body]))
                    if len(signature) != SIGNATURE_BYTES or not verify(author, signature, said):
                        raise LetterError("letter/signature")
                    return cls(kind, lobby, about, author, body, raw)
        except WireError as error:
            raise LetterError("letter/damaged") from error
        raise LetterError("letter/damaged")


def state(key: SigningKey, kind: str, lobby: bytes, about: bytes, body: Plain) -> LobbyStatement:
    """Return a statement signed by a table key."""
    said: list[Plain] = [kind, lobby, about, key.public, body]
    return LobbyStatement.read(encode([*said, key.sign(H("lobby by post", encode(said)))]))


@dataclass(frozen=True, slots=True)
class Place:
    """A member, as an invitation or an answer describes it.

    Attributes:
        statement: id of the invitation or answer.
        number: counts the answers of one guest; the greatest is valid.
        hash: hash of the member's nonce.
    """

    statement: bytes
    number: int
    sitter: Sitter
    hash: bytes


@dataclass(slots=True)
class PostedLobby:
    """The statements of a lobby that one home holds.

    Attributes:
        terms: game, options and seats.
        content: the table's own content, empty for the content that comes with the game.
        inviter: the inviter as a member.

    Raises LetterError "letter/damaged" for a malformed invitation.
    """

    invitation: LobbyStatement
    terms: Terms = field(init=False)
    content: bytes = field(init=False)
    inviter: Place = field(init=False)
    _held: dict[bytes, LobbyStatement] = field(default_factory=dict)
    _answers: dict[bytes, Place] = field(default_factory=dict)
    _roster: LobbyStatement | None = None

    def __post_init__(self) -> None:
        said = self.invitation
        try:
            match said.kind, said.body:
                case "invitation", [terms, sitter, bytes(hashed), *own]:
                    self.terms = Terms.read(terms)
                    self.content = read_content(own, self.terms)
                    self.inviter = Place(said.id, 0, _sitter(said, sitter), hashed)
                case _:
                    raise WireError("lobby/word", 0, said.kind)
        except WireError as error:
            raise LetterError(error.code if error.code == "lobby/protocol" else "letter/damaged") from error
        self._held[said.id] = said

    @property
    def lobby(self) -> bytes:
        """The 16-byte id of the lobby, which certificates name."""
        return self.invitation.lobby

    # What is held ----------------------------------------------------------------------------------------------------

    def take(self, statement: LobbyStatement) -> bool:
        """Keep a statement. Return False if it belongs to another lobby, is malformed or does not count, or if there
        are too many answers: those that the roster names are taken nevertheless, so that nobody keeps them out."""
        if statement.id in self._held:
            return True
        if statement.lobby != self.lobby:
            return False
        match statement.kind, statement.body:
            case "answer", [int(number), sitter, bytes(hashed)] if statement.about == self.invitation.id:
                try:
                    place = Place(statement.id, number, _sitter(statement, sitter), hashed)
                except WireError:
                    return False
                if not self._has_room(place):
                    return False
                self._answers[statement.id] = place
            case "roster", list(rows) if statement.about == self.invitation.id and len(rows) < MAX_MEMBERS:
                if statement.author != self.invitation.author or self._roster is not None:
                    return False
                self._roster = statement
            case "nonce", bytes(nonce) if len(nonce) == NONCE and self._roster is not None:
                hashed, shown = nonce_commitment(statement.author, nonce), self._nonces()
                counts = hashed in {place.hash for place in self.places()} - shown.keys()
                if statement.about != self._roster.id or not counts:
                    return False
            case _:
                return False
        self._held[statement.id] = statement
        return True

    @property
    def crowded(self) -> bool:
        """True if no answer of another guest is taken before the roster, unless one is forgotten."""
        return len(self._held) >= MAX_STATEMENTS

    def _has_room(self, place: Place) -> bool:
        """True if an answer may be kept: before the roster the latest of each guest, then what the roster names."""
        if self._roster is not None:
            return place.statement in self._named()
        for former in self.answers():
            if former.sitter.certificate.key == place.sitter.certificate.key:
                if former.number < place.number:
                    self.forget(former)
                return former.number < place.number
        return not self.crowded

    def forget(self, place: Place) -> None:
        """Forget an answer, which makes room for another one."""
        del self._answers[place.statement], self._held[place.statement]

    def answers(self) -> list[Place]:
        """Return the latest answer of each guest, in the order in which they were taken."""
        return list(self._answers.values())

    def held(self) -> list[LobbyStatement]:
        """Return all statements but the invitation, in the order in which they were taken."""
        return [each for each in self._held.values() if each is not self.invitation]

    def statements(self, mine: bytes) -> list[LobbyStatement]:
        """Return the statements to pass on: before the roster those of this home, then the roster, its answers and the
        nonces. mine: table key of this home."""
        if self._roster is None:
            return [each for each in self._held.values() if each.author == mine]
        named = self._named()
        said = [each for each in self.held() if each.kind != "answer" or each.id in named]
        return sorted(said, key=lambda each: KINDS.index(each.kind))

    # From the answers to the genesis ---------------------------------------------------------------------------------

    def seating(self, chosen: Iterable[Place]) -> list[tuple[Place, tuple[int, ...]]]:
        """Return these guests with the seats that they get, as many guests as fit. A guest gets the seats it wishes for
        unless a guest before it has one of them."""
        mine = self.inviter.sitter.rows(range(self.terms.seats))
        free = [seat for seat in range(self.terms.seats) if seat not in {row.seat for row in mine}]
        found: list[tuple[Place, tuple[int, ...]]] = []
        for place in chosen:
            if place.sitter.count <= len(free) and len(found) < MAX_MEMBERS - 1:
                seats = tuple(row.seat for row in place.sitter.rows(free))
                free = [seat for seat in free if seat not in seats]
                found.append((place, seats))
        return found

    def full(self, seating: Iterable[tuple[Place, tuple[int, ...]]]) -> bool:
        """True if no seat is free."""
        return self.inviter.sitter.count + sum(len(seats) for _, seats in seating) == self.terms.seats

    def fix(self, key: SigningKey, seating: Iterable[tuple[Place, tuple[int, ...]]]) -> None:
        """Add the inviter's roster: the valid answers and their seats."""
        rows: list[Plain] = [[place.statement, seats] for place, seats in sorted(seating, key=lambda row: row[1])]
        self.take(state(key, "roster", self.lobby, self.invitation.id, rows))

    def show(self, key: SigningKey, nonce: bytes) -> None:
        """Show the nonce of this home for the roster, if all answers named in it are here. Raises LetterError
        "lobby/roster-without-me" if the roster does not seat this home as it asked."""
        members = self._members()
        if self._roster is None or members is None:
            return
        if nonce_commitment(key.public, nonce) not in [hashed for _member, hashed in members]:
            raise LetterError("lobby/roster-without-me")
        self.take(state(key, "nonce", self.lobby, self._roster.id, nonce))

    @property
    def fixed(self) -> bool:
        """True if the roster is known. Then no further answers are taken."""
        return self._roster is not None

    def waits_for(self) -> list[str]:
        """Return the names of the members whose nonces are missing."""
        members, nonces = self._members() or [], self._nonces()
        return [member.name for member, hashed in members if hashed not in nonces]

    def genesis(self) -> Genesis | None:
        """Return the genesis, None while a part is missing. Raises LetterError for an impossible roster."""
        members, nonces = self._members(), self._nonces()
        if members is None or any(hashed not in nonces for _member, hashed in members):
            return None
        rows = tuple(replace(member, nonce=nonces[hashed]) for member, hashed in members)
        terms = self.terms
        genesis = Genesis(terms.game, terms.options, terms.rules, terms.content, rows, terms.test)
        try:
            return Genesis.read(decode(encode(genesis.body())))
        except WireError as error:
            raise LetterError("lobby/roster-without-me") from error

    def places(self) -> list[Place]:
        """Return all members, the inviter first; empty before the roster is known."""
        return self._places() or []

    def _nonces(self) -> dict[bytes, bytes]:
        """Return the nonces shown for the roster, by their hashes."""
        about = None if self._roster is None else self._roster.id
        said = [each for each in self._held.values() if each.kind == "nonce" and each.about == about]
        return {nonce_commitment(each.author, each.body): each.body for each in said if isinstance(each.body, bytes)}

    def _members(self) -> list[tuple[Member, bytes]] | None:
        """Return the members of the genesis without nonces, each with the hash of its nonce; None while an answer that
        the roster names is missing."""
        places = self._places()
        if places is None:
            return None
        every = tuple(range(self.terms.seats))
        given = [every, *(seats for _id, seats in self._rows())]
        members = [
            (Member(place.sitter.certificate, place.sitter.rows(seats), bytes(NONCE)), place.hash)
            for place, seats in zip(places, given, strict=True)
        ]
        asked, got = [place.sitter.count for place in places], [len(member.rows) for member, _hashed in members]
        if asked != got or sorted(chain(*given[1:], members[0][0].seats)) != list(every):
            raise LetterError("lobby/roster-without-me")
        return members

    def _places(self) -> list[Place] | None:
        found = [self._answers.get(id) for id, _seats in self._rows()]
        if self._roster is None or None in found:
            return None
        return [self.inviter, *(place for place in found if place is not None)]

    def _named(self) -> set[bytes]:
        """Return the ids of the answers in the roster."""
        return {id for id, _seats in self._rows()}

    def _rows(self) -> list[tuple[bytes, tuple[int, ...]]]:
        """Return the ids of the answers in the roster and the seats of each."""
        found = []
        for row in self._roster.body if self._roster is not None and isinstance(self._roster.body, list) else []:
            match row:
                case [bytes(id), list(seats)]:
                    found.append((id, tuple(seat for seat in seats if type(seat) is int)))
        return found


def _sitter(statement: LobbyStatement, fields: Value) -> Sitter:
    """Return the sitter in a statement, whose certificate must name the statement's author and this lobby. Raises
    WireError."""
    sitter = Sitter.read(fields)
    if sitter.certificate.key != statement.author or sitter.certificate.lobby != statement.lobby:
        raise WireError("lobby/certificate")
    return sitter


# Letters -------------------------------------------------------------------------------------------------------------


def write_letter(statements: Iterable[LobbyStatement], bundle: bytes = b"") -> bytes:
    """Return a letter with these statements. bundle: a bundle of the table, once it has begun."""
    said = encode([statement.raw for statement in statements])
    whole = MAGIC + VERSION + len(said).to_bytes(4, "big") + said
    return whole + letter_check(whole) + bundle


def read_letter(data: bytes) -> tuple[list[LobbyStatement], bytes]:
    """Return the statements of a letter, with their signatures checked, and its bundle. Raises LetterError."""
    start = len(MAGIC + VERSION) + 4
    end = start + int.from_bytes(data[start - 4 : start], "big")
    if len(data) < end + CHECK or data[end : end + CHECK] != letter_check(data[:end]):
        raise LetterError("letter/damaged")
    if not data.startswith(MAGIC + VERSION):
        raise LetterError("letter/version")
    try:
        raws = decode(data[start:end], limit=MAX_STATEMENTS * MAX_STATEMENT)
    except WireError as error:
        raise LetterError("letter/damaged") from error
    if type(raws) is not list or len(raws) > MAX_STATEMENTS:
        raise LetterError("letter/damaged")
    return [LobbyStatement.read(raw) for raw in raws if isinstance(raw, bytes)], data[end + CHECK :]


def letter_check(whole: bytes) -> bytes:
    """Return the check of these bytes of a letter."""
    return H("letter check", whole)[:CHECK]
