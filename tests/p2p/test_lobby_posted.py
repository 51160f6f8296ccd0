"""The lobby by post: in whatever order letters come all begin the same table, and all are seated as they asked."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import certify
from p2p.lobby.messages import Sitter, Terms
from p2p.lobby.posted import LetterError, LobbyStatement, PostedLobby, read_letter, state, write_letter
from p2p.lockstep.genesis import Genesis, nonce_commitment
from p2p.wire.codec import Plain, decode, encode
from p2p.wire.signing import verify
from seeds.hashing import H

LOBBY = bytes(range(16))
TERMS = Terms("toy", {"draws": "open"}, 3, "toy/1", bytes(16), {}, False, "starlock test")


class Home:
    """One who takes part. number: of its keys."""

    def __init__(self, number: int, wants: tuple[int, ...] = (), count: int = 1) -> None:
        self.key, self.nonce = SigningKey.from_seed(bytes([number]) * 32), bytes([number]) * 32
        identity = SigningKey.from_seed(bytes([100 + number]) * 32)
        certificate = certify(identity, self.key.public, LOBBY, "machine")
        self.sitter = Sitter(certificate, ((f"Player {number}", None),) * count, wants, ())
        self.lobby: PostedLobby

    def opens(self) -> None:
        body: list[Plain] = [TERMS.fields(), self.sitter.fields(), nonce_commitment(self.key.public, self.nonce)]
        self.lobby = PostedLobby(state(self.key, "invitation", LOBBY, bytes(32), body))

    def answers(self, invitation: LobbyStatement) -> None:
        self.lobby = PostedLobby(invitation)
        body: list[Plain] = [1, self.sitter.fields(), nonce_commitment(self.key.public, self.nonce)]
        self.lobby.take(state(self.key, "answer", LOBBY, invitation.id, body))

    def reads(self, letter: bytes) -> None:
        for statement in read_letter(letter)[0]:
            self.lobby.take(statement)
        if self is not HOMES[0] or self.lobby.fixed:
            self.lobby.show(self.key, self.nonce)

    def letter(self) -> bytes:
        return write_letter(self.lobby.statements(self.key.public))


HOMES: list[Home] = []


@pytest.fixture(autouse=True)
def homes() -> list[Home]:
    HOMES[:] = [Home(1, (0,)), Home(2, (2,)), Home(3, (2,))]
    HOMES[0].opens()
    for home in HOMES[1:]:
        home.answers(HOMES[0].lobby.invitation)
    return HOMES


def begun() -> Genesis | None:
    """The one table that has begun."""
    found = [home.lobby.genesis() for home in HOMES]
    assert len({genesis.table for genesis in found if genesis is not None}) == 1
    return found[0]


def test_a_letter_has_the_form_that_the_protocol_describes() -> None:
    host, guest = HOMES[:2]
    letter = guest.letter()
    assert letter[:16] == b"starlock lobby 1"
    assert int.from_bytes(letter[16:20], "big") == len(letter) - 28
    assert letter[-8:] == H("letter check", letter[:-8])[:8]
    statements: Any = decode(letter[20:-8])
    statement: Any = decode(statements[0])
    kind, lobby, about, author, body, signature = statement
    assert (kind, lobby, author) == ("answer", LOBBY, guest.key.public)
    assert about == H("lobby statement", host.lobby.invitation.raw)
    assert verify(author, signature, H("lobby by post", encode([kind, lobby, about, author, body])))
    number, (certificate, players, wishes, addresses), hashed = body
    assert (number, players, wishes, addresses) == (1, [["Player 2", None]], [2], [])
    assert (certificate[1:4], hashed) == ([author, LOBBY, "machine"], H("nonce", author, guest.nonce))


@settings(max_examples=12)
@given(st.integers(0, 2**32))
def test_letters_in_any_order_lead_all_to_one_table(seed: int) -> None:
    random = Random(seed)
    HOMES[:] = [Home(1, (0,)), Home(2, (2,)), Home(3, (2,))]
    HOMES[0].opens()
    for home in HOMES[1:]:
        home.answers(HOMES[0].lobby.invitation)
    letters = [home.letter() for home in HOMES]
    for _ in range(200):
        reader = random.choice(HOMES)
        reader.reads(random.choice(letters))
        lobby = HOMES[0].lobby
        seating = lobby.seating(lobby.answers())
        if not lobby.fixed and lobby.full(seating):
            lobby.fix(HOMES[0].key, seating)
        letters.append(random.choice(HOMES).letter())
        if all(home.lobby.genesis() is not None for home in HOMES):
            break
    else:
        raise AssertionError("the table never begins")
    genesis = begun()
    assert genesis is not None
    assert sorted(member.seats for member in genesis.members) == [(0,), (1,), (2,)]


def test_nobody_shows_a_nonce_before_the_roster_or_for_a_second_one(homes: list[Home]) -> None:
    ann, bob, cid = homes
    bob.lobby.show(bob.key, bob.nonce)
    assert not any(each.kind == "nonce" for each in bob.lobby.held())
    for home in (bob, cid):
        ann.reads(home.letter())
    ann.lobby.fix(ann.key, ann.lobby.seating(ann.lobby.answers()))
    bob.reads(ann.letter())
    rows = [[place.statement, [seat]] for place, seat in zip(ann.lobby.answers(), (2, 1), strict=True)]
    assert not bob.lobby.take(state(ann.key, "roster", LOBBY, ann.lobby.invitation.id, rows))
    assert sum(each.kind == "nonce" for each in bob.lobby.held() if each.author == bob.key.public) == 1


@pytest.mark.parametrize("rows", [[], [(2, (1, 2))], [(1, (1,)), (2, (1,))], [(2, (1,)), (2, (2,))]])
def test_a_roster_that_seats_others_than_asked_ends_the_lobby(
    homes: list[Home], rows: list[tuple[int, tuple[int, ...]]]
) -> None:
    ann, bob, cid = homes
    answer = {number: home.letter() for number, home in ((1, bob), (2, cid))}
    ids = {number: read_letter(letter)[0][0].id for number, letter in answer.items()}
    for letter in answer.values():
        bob.reads(letter)
    roster = state(ann.key, "roster", LOBBY, ann.lobby.invitation.id, [[ids[number], seats] for number, seats in rows])
    with pytest.raises(LetterError, match="roster-without-me"):
        bob.reads(write_letter([roster]))


def test_what_is_forged_or_of_another_lobby_is_not_taken(homes: list[Home]) -> None:
    ann, bob, _cid = homes
    lobby, about = ann.lobby, ann.lobby.invitation.id
    hashed = nonce_commitment(bob.key.public, bob.nonce)
    assert not lobby.take(state(bob.key, "roster", LOBBY, about, []))
    assert not lobby.take(state(bob.key, "answer", bytes(16), about, [1, bob.sitter.fields(), hashed]))
    assert not lobby.take(state(bob.key, "answer", LOBBY, about, [1, ann.sitter.fields(), hashed]))
    assert not lobby.take(state(bob.key, "nonce", LOBBY, about, b"short"))


def test_of_one_guest_the_latest_answer_is_kept(homes: list[Home]) -> None:
    ann, bob, _cid = homes
    lobby, about = ann.lobby, ann.lobby.invitation.id
    hashed = nonce_commitment(bob.key.public, bob.nonce)
    said = [state(bob.key, "answer", LOBBY, about, [number, bob.sitter.fields(), hashed]) for number in range(128)]
    assert lobby.take(said[5])
    assert all(map(lobby.take, said[6:]))
    assert not any(map(lobby.take, said[:127]))
    assert lobby.held() == said[127:]


def test_nobody_keeps_others_out_by_statements_without_end(homes: list[Home]) -> None:
    ann, bob, cid = homes
    strangers = [Home(number) for number in range(10, 90)]
    for stranger in strangers:
        stranger.answers(ann.lobby.invitation)
    ann.reads(bob.letter())
    ann.reads(cid.letter())
    seating = ann.lobby.seating(ann.lobby.answers())
    for home in homes:  # what strangers say comes first everywhere
        home.lobby.take(state(strangers[0].key, "nonce", LOBBY, bytes(32), bytes(32)))
        assert sum(home.lobby.take(stranger.lobby.held()[0]) for stranger in strangers) < 64
        assert len(home.lobby.held()) < 64
    ann.lobby.fix(ann.key, seating)
    ann.lobby.show(ann.key, ann.nonce)
    roster = ann.letter()
    noise = [state(each.key, "nonce", LOBBY, read_letter(roster)[0][0].id, each.nonce) for each in strangers]
    for home in (bob, cid):
        assert not any(map(home.lobby.take, noise))
        home.reads(roster)
        assert not any(map(home.lobby.take, noise))
    for home in homes:
        for other in homes:
            home.reads(other.letter())
    assert begun() is not None
    assert all(len(read_letter(home.letter())[0]) == 6 for home in homes)


@settings(max_examples=30)
@given(st.data())
def test_a_letter_with_any_byte_changed_is_called_damaged(data: st.DataObject) -> None:
    home = Home(1, (0,))
    home.opens()
    letter = home.letter()
    place = data.draw(st.integers(0, len(letter) - 1))
    changed = letter[:place] + bytes([letter[place] ^ data.draw(st.integers(1, 255))]) + letter[place + 1 :]
    with pytest.raises(LetterError, match="letter/damaged"):
        read_letter(changed)
