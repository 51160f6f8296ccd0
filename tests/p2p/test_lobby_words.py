"""Whatever is said in a lobby, in whatever order, it stands: all sit at one table, or nobody does."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from lobbyhouse import house, proof, sitter

from p2p.lobby.effects import Dealt, TurnedAway
from p2p.lockstep.genesis import nonce_commitment
from p2p.wire.codec import Value, decode, encode
from seeds.hashing import H

ODD: st.SearchStrategy[Value] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**40) | st.binary(max_size=33) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=20,
)
KINDS = st.sampled_from(
    [
        "offer",
        "sit",
        "watch",
        "wait",
        "room",
        "ready",
        "roster",
        "commit",
        "show",
        "nonce",
        "genesis",
        "no",
        "leave",
        "x",
    ]
)
WORDS = ("watch", "ready", "unready", "link", "sit", *8 * ("commit", "nonce"), "another commit")


def test_words_that_make_no_sense_end_the_link() -> None:
    table = house()
    table.come(sitter("Bob"))
    table.invite.heard("Bob", "sit", 7)
    table.settle()
    assert [effect.code for effect in table.got("Bob", TurnedAway)] == ["lobby/word"]  # type: ignore[union-attr]
    assert len(table.invite.room) == 1


@given(words=st.lists(st.tuples(KINDS, ODD), max_size=6))
def test_whatever_a_guest_says_the_lobby_stands(words: list[tuple[str, Value]]) -> None:
    table = house()
    table.come(sitter("Bob"))
    table.come(sitter("Cid"), sits=False)
    for kind, body in words:
        table.invite.heard("Bob", kind, body)
        table.invite.heard("Cid", kind, body)
    table.settle()
    assert table.invite.genesis is None
    assert table.invite.room[0].name == "Ann"


@given(words=st.lists(st.tuples(KINDS, ODD), max_size=6))
def test_whatever_an_inviter_says_the_guest_stands(words: list[tuple[str, Value]]) -> None:
    table = house()
    table.come(sitter("Bob"))
    guest = table.guests["Bob"]
    for kind, body in words:
        guest.heard("Bob", kind, body)
    assert not [effect for effect in guest.effects() if isinstance(effect, Dealt)]


def test_whatever_two_guests_say_in_whatever_order_all_sit_at_the_table_or_nobody() -> None:
    begun, random = 0, Random(0)
    guests = {who: sitter(who) for who in ("Bob", "Cid")}
    fields = {who: decode(encode(guest.fields())) for who, guest in guests.items()}
    for _ in range(100):
        invite = house().invite
        said = [(who, word) for word in ("link", "sit", "ready") for who in guests]
        for who, word in said + [(random.choice(["Bob", "Cid"]), random.choice(WORDS)) for _ in range(12)]:
            guest, nonce = guests[who], H("another" if word.startswith("another") else "nonce", who)
            words: dict[str, Value] = {
                "sit": [proof(who.encode()), fields[who]],
                "watch": proof(who.encode()),
                "ready": word == "ready",
                "commit": [invite.round, [nonce_commitment(guest.certificate.key, nonce)]],
                "nonce": [invite.round, [nonce]],
            }
            if word == "link":
                invite.closed(who)
                invite.opened(who, guest.identity, who.encode(), None)
            else:
                kind = word.removeprefix("another ").removeprefix("un")
                invite.heard(who, kind, words[kind])
        if invite.genesis is not None:
            begun += 1
            assert {member.name for member in invite.genesis.members} == {"Ann", "Bob", "Cid"}
    assert begun
