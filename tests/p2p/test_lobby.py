"""Sitting down: every member ends with the same genesis, or nobody does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lobbyhouse import TERMS, house, proof, sitter

from p2p.lobby.effects import Dealt, Effect, Say, TurnedAway
from p2p.lobby.guest import Guest
from p2p.lobby.messages import Roster
from p2p.lockstep.genesis import Genesis, Member, Row, nonce_commitment
from p2p.lockstep.machine import TableRefusal
from p2p.wire.codec import Plain, Value, decode, encode
from seeds.hashing import H


def test_all_seated_and_ready_get_one_genesis_with_everybodys_nonce() -> None:
    table = house()
    table.come(sitter("Bob"))
    table.come(sitter("Cid", (2,)))
    table.ready("Bob")
    assert not table.got("inviter", Dealt)
    table.ready("Cid")
    dealt = [table.got(who, Dealt)[0] for who in ("inviter", "Bob", "Cid")]
    assert all(isinstance(each, Dealt) and each == dealt[0] for each in dealt)
    genesis = dealt[0].genesis  # type: ignore[union-attr]
    assert [(member.name, member.seats) for member in genesis.members] == [("Ann", (0,)), ("Bob", (1,)), ("Cid", (2,))]
    assert len({member.nonce for member in genesis.members}) == 3
    places = dealt[0].places[sitter("Bob").identity]  # type: ignore[union-attr]
    assert places == ("tcp://192.0.2.9:5000", "tcp://192.0.2.1:4000")


def test_other_terms_make_nobody_ready_and_the_table_begins_with_the_terms_that_all_are_ready_for() -> None:
    table = house()
    table.come(sitter("Bob"))
    table.ready("Bob")
    assert table.invite.change(replace(TERMS, seats=1)) == TableRefusal("lobby/seat-taken", "", (1,))
    assert table.invite.change(replace(TERMS, seats=2, options={"draws": "sealed"})) is None
    table.settle()
    assert [row.ready for row in table.invite.room] == [False, False]
    table.invite.ready(yes=True)
    table.invite.heard("Bob", "ready", True)  # said before the change, arrived after it
    table.settle()
    assert not table.got("Bob", Dealt)
    table.ready("Bob")
    dealt = table.got("Bob", Dealt)[0]
    assert isinstance(dealt, Dealt)
    assert (dealt.genesis.seats, dict(dealt.genesis.options)) == (2, {"draws": "sealed"})
    assert table.invite.change(TERMS) == TableRefusal("lobby/begun")


def test_no_nonce_is_shown_before_all_hashes_are_known() -> None:
    table = house()
    table.come(sitter("Bob"))
    table.come(sitter("Cid"))
    table.ready("Bob")
    table.lost.add("Cid")
    table.guests["Cid"].ready(yes=True)
    table.guests["Cid"].effects()
    table.invite.heard("Cid", "ready", True)
    table.settle()
    said = [effect.kind for effect in table.got("Bob", Say)]  # type: ignore[union-attr]
    assert "commit" in said
    assert "nonce" not in said


def test_who_leaves_in_between_takes_all_back_and_the_next_round_has_fresh_nonces() -> None:
    table = house()
    table.come(sitter("Bob"))
    table.come(sitter("Cid"))
    table.ready("Bob")
    table.lost.add("Cid")
    table.invite.heard("Cid", "ready", True)
    table.settle()
    first = table.got("Bob", Say)[-1]
    table.invite.closed("Cid")
    table.settle()
    assert table.invite.free == (2,)
    table.lost.clear()
    table.guests.pop("Cid")
    table.come(sitter("Cid"))
    table.ready("Cid")
    dealt = table.got("Bob", Dealt)
    assert len(dealt) == 1
    assert dealt == table.got("inviter", Dealt)
    last = [effect for effect in table.got("Bob", Say) if effect.kind == "commit"][-1]  # type: ignore[union-attr]
    assert first != last


@pytest.mark.parametrize("when", range(5))
def test_who_sits_and_asks_to_watch_meanwhile_ends_no_lobby(when: int) -> None:
    table = house()
    table.come(sitter("Bob"))
    table.come(sitter("Cid"))
    table.lost |= {"Bob", "Cid"}
    words: list[tuple[str, str, Value]] = [("Bob", "ready", True), ("Cid", "ready", True)]
    for who in ("Cid", "Bob"):
        hashed = nonce_commitment(sitter(who).certificate.key, H("nonce", who))
        words.append((who, "commit", [1, [hashed]]))
    words.append(("Bob", "nonce", [1, [H("nonce", "Bob")]]))
    words.insert(when, ("Cid", "watch", proof(b"Cid")))
    for each in words:
        table.invite.heard(*each)
    table.invite.closed("Bob")
    table.settle()
    assert table.invite.free == (1, 2)
    table.lost.clear()
    for who in ("Bob", "Dan"):
        table.come(sitter(who))
        table.ready(who)
    (dealt,) = table.got("inviter", Dealt)
    assert table.got("Bob", Dealt) == table.got("Dan", Dealt) == [dealt]


@pytest.mark.parametrize("away", [False, True])
def test_who_shows_its_nonce_again_after_the_start_begins_no_second_table(away: bool) -> None:
    table = house()
    table.come(sitter("Bob"))
    table.come(sitter("Cid"))
    table.ready("Bob", "Cid")
    if away:
        table.invite.closed("Cid")
    (shown,) = (say for say in table.got("Bob", Say) if say.kind == "nonce")  # type: ignore[union-attr]
    table.invite.heard("Bob", "nonce", decode(encode(shown.body)))  # type: ignore[union-attr]
    table.settle()
    assert len(table.got("inviter", Dealt)) == 1


def test_after_the_start_members_get_the_genesis_again_and_others_come_too_late() -> None:
    table = house()
    table.come(sitter("Bob", (), 2))
    guest = table.guests["Bob"]
    guest.ready(yes=True)
    for _word in ("ready", "commit", "nonce"):
        for effect in guest.effects():
            if isinstance(effect, Say):
                table.invite.heard("Bob", effect.kind, decode(encode(effect.body)))
        for effect in table.invite.effects():
            if isinstance(effect, Say) and effect.kind != "genesis":  # which is lost with the link
                guest.heard("Bob", effect.kind, decode(encode(effect.body)))
    assert table.invite.genesis is not None
    table.invite.closed("Bob")
    table.come(sitter("Bob", (), 2))
    (dealt,) = table.got("Bob", Dealt)
    assert isinstance(dealt, Dealt)
    assert dealt.genesis == table.invite.genesis
    table.come(sitter("Zoe"))
    assert [effect.code for effect in table.got("Zoe", TurnedAway)] == ["lobby/begun"]  # type: ignore[union-attr]


def test_a_genesis_that_is_not_what_was_agreed_is_refused() -> None:
    table = house()
    table.come(sitter("Bob", (), 2))
    other = house()
    other.come(sitter("Bob", (), 2))
    other.invite.terms = replace(TERMS, options={"draws": "sealed"})
    other.ready("Bob")
    assert [effect.code for effect in other.got("Bob", TurnedAway)] == ["lobby/other-table"]  # type: ignore[union-attr]


def test_terms_that_come_after_the_own_commitment_begin_no_table() -> None:
    """The inviter offers sealed draws, and open ones once the guest has committed to its nonce."""
    me, lied = sitter("Bob"), replace(TERMS, seats=2, options={"draws": "open"})
    asked, ann = replace(lied, options={"draws": "sealed"}), sitter("Ann", (0,))
    guest = Guest(ann.identity, lambda: H("nonce", "Bob"))
    guest.opened("Bob")
    members = [Member(who.certificate, (Row(seat, who.name),), bytes(32)) for seat, who in enumerate((ann, me))]

    def hear(kind: str, body: Plain) -> list[Effect]:
        guest.heard("Bob", kind, decode(encode(body)))
        return guest.effects()

    hear("offer", [asked.fields(), 1, []])
    guest.sit(me, b"proof")
    guest.ready(yes=True)
    hear("roster", Roster(1, tuple(members)).fields())
    nonces = [H("nonce", "Ann"), H("nonce", "Bob")]
    hear("offer", [lied.fields(), 0, []])
    hear("show", [1, [nonce_commitment(each.key, nonce) for each, nonce in zip(members, nonces, strict=True)]])
    dealt = tuple(replace(each, nonce=nonce) for each, nonce in zip(members, nonces, strict=True))
    genesis = Genesis(lied.game, lied.options, lied.rules, lied.content, dealt)
    assert hear("genesis", [genesis.body(), []])[0] == TurnedAway("lobby/genesis-early", ())


def test_a_swapped_nonce_or_member_is_refused() -> None:
    for spoiled, code in (
        ("nonce", "lobby/other-nonce"),
        ("name", "lobby/other-roster"),
        ("level", "lobby/other-roster"),
    ):
        table = house()
        table.come(sitter("Bob"))
        table.come(sitter("Cid"))
        table.ready("Bob")
        table.guests["Cid"].ready(yes=True)
        table.settle()
        dealt = table.got("inviter", Dealt)[0]
        assert isinstance(dealt, Dealt)
        honest = dealt.genesis
        first = honest.members[0]
        row = first.rows[0]
        rows = (replace(row, name="Amy") if spoiled == "name" else replace(row, level="greedy"),)
        swapped = replace(first, nonce=bytes(32)) if spoiled == "nonce" else replace(first, rows=rows)
        forged = replace(honest, members=(swapped, *honest.members[1:]))
        guest = table.guests["Bob"]
        guest.over = False  # the same guest, told something else
        guest.heard("Bob", "genesis", [decode(encode(forged.body())), []])
        assert guest.effects()[0] == TurnedAway(code, ())


def test_a_member_missing_or_changed_in_the_roster_stops_the_guest() -> None:
    table = house()
    table.come(sitter("Bob"))
    table.come(sitter("Cid"))
    roster: Value = [1, []]
    table.guests["Bob"].heard("Bob", "roster", roster)
    assert [effect.code for effect in table.guests["Bob"].effects() if isinstance(effect, TurnedAway)] == [
        "lobby/roster"
    ]
