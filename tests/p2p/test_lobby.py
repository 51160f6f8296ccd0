"""Sitting down: every member ends with the same genesis, or nobody does."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hmac import digest
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lobby.effects import Close, Dealt, Effect, Knocked, Offered, RoomChanged, Say, TurnedAway, Waiting
from p2p.lobby.guest import Guest
from p2p.lobby.invite import Invite
from p2p.lobby.messages import Roster, Seated, Sitter, Terms, read_content
from p2p.lockstep.genesis import MAX_SEATS, Genesis, Member, Row, nonce_commitment
from p2p.lockstep.machine import TableRefusal
from p2p.wire.codec import Plain, Value, decode, encode
from p2p.wire.content import MAX_CONTENT, content_name
from p2p.wire.frames import MAX_MESSAGE
from p2p.wire.messages import Lobby, pack
from seeds.hashing import H

LOBBY = b"lobby of sixteen"
SECRET = b"secret of ticket"
TERMS = Terms("toy", {"draws": "open"}, 3, "toy/1", b"c" * 16, {"a.toml": b"d" * 16}, False, "starlock 1")


def proof(binding: bytes) -> bytes:
    return digest(SECRET, binding, "sha256")


def announced(binding: bytes) -> bytes:
    return digest(b"secret on the LAN", binding, "sha256")


def sitter(name: str, wants: tuple[int, ...] = (), count: int = 1, lobby: bytes = LOBBY) -> Sitter:
    identity = SigningKey.from_seed(H("identity", name))
    keys = TableKeys(SigningKey.from_seed(H("table key", name)), H("secret", name))
    certificate = certify(identity, keys.key.public, lobby, "test")
    return Sitter(certificate, ((name, None),) * count, wants, ("tcp://192.0.2.1:4000",))


def taken(newcomer: Sitter, room: tuple[Seated, ...]) -> TableRefusal | None:
    names = {row.name for each in room for row in each.rows}
    return TableRefusal("lobby/name-taken", "", (newcomer.name, "Zoe")) if newcomer.name in {"Eve", *names} else None


@dataclass
class House:
    """An inviter and its guests; words travel at once, in order, and as bytes."""

    invite: Invite
    guests: dict[str, Guest] = field(default_factory=dict)
    told: dict[str, list[Effect]] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)

    def come(
        self, guest: Sitter, *, sits: bool = True, good: bool = True, watch: bool = False, heard: str = ""
    ) -> None:
        """heard: the link of a guest that has heard the table announced and has no ticket."""
        name = heard or guest.name
        self.guests.setdefault(name, Guest(self.invite.me.identity, lambda: H("nonce", name, self.invite.round)))
        self.guests[name].opened(name)
        self.invite.opened(name, guest.identity, name.encode(), "tcp://192.0.2.9:5000", ticket=not heard)
        self.settle()
        ticket = (announced if heard else proof)(name.encode()) if good else bytes(32)
        if watch:
            self.guests[name].watch(ticket)
        elif sits:
            self.guests[name].sit(guest, ticket)
        self.settle()

    def settle(self) -> None:
        busy = True
        while busy:
            busy = False
            for effect in self.invite.effects():
                busy = True
                self.note("inviter", effect)
                if isinstance(effect, Say) and effect.link not in self.lost:
                    self.guests[effect.link].heard(effect.link, effect.kind, decode(encode(effect.body)))
            for name, guest in self.guests.items():
                for effect in guest.effects():
                    busy = True
                    self.note(name, effect)
                    if isinstance(effect, Say) and name not in self.lost:
                        self.invite.heard(name, effect.kind, decode(encode(effect.body)))
                    if isinstance(effect, Close):
                        self.invite.closed(name)

    def note(self, who: str, effect: Effect) -> None:
        self.told.setdefault(who, []).append(effect)

    def got(self, who: str, kind: type) -> list[Effect]:
        return [effect for effect in self.told.get(who, []) if isinstance(effect, kind)]

    def ready(self, *names: str) -> None:
        for name in names:
            self.guests[name].ready(yes=True)
            self.settle()


def house(terms: Terms = TERMS, approve_all: bool = True, count: int = 1) -> House:
    nonces = iter(H("nonce of the inviter", number) for number in range(9))
    invite = Invite(LOBBY, terms, sitter("Ann", (0,), count), nonces.__next__, proof, taken, approve_all)
    invite.open_proof = announced
    invite.ready(yes=True)
    return House(invite)


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


def test_the_inviter_lets_people_in_or_not() -> None:
    table = house(approve_all=False)
    table.come(sitter("Bob"))
    assert isinstance(table.got("inviter", Knocked)[0], Knocked)
    assert table.got("Bob", Waiting)
    table.invite.approve("Bob", yes=False)
    table.settle()
    assert table.got("Bob", TurnedAway) == [TurnedAway("lobby/declined", ())]
    table.guests.pop("Bob")
    table.come(sitter("Bob"))
    table.invite.approve("Bob", yes=True)
    table.settle()
    assert table.invite.free == (2,)


def test_a_bot_takes_a_free_seat_and_no_other_seat_is_taken_back_from_one() -> None:
    table = house()
    table.come(sitter("Bob"))
    assert not table.invite.seat_bot(1, "Robot", "greedy")
    assert table.invite.seat_bot(2, "Robot", "greedy")
    assert not any(table.invite.unseat_bot(seat) for seat in (0, 1))
    full = table.invite.free
    assert (full, table.invite.unseat_bot(2), table.invite.free) == ((), True, (2,))


def test_who_sits_is_removed_before_the_table_begins_and_not_afterwards() -> None:
    table, bob = house(replace(TERMS, seats=2)), sitter("Bob")
    table.come(bob)
    table.invite.remove(bob.identity)
    table.settle()
    assert table.got("Bob", TurnedAway) == [TurnedAway("lobby/removed", ())]
    table.told.clear()
    table.guests.clear()
    table.come(bob)
    table.ready("Bob")
    table.invite.remove(bob.identity)
    table.settle()
    assert table.got("Bob", Dealt)
    assert not table.got("Bob", TurnedAway)
    assert not table.got("inviter", Close)


@pytest.mark.parametrize("said", [(), ("commit",)], ids=["no hash", "no nonce"])
def test_who_is_ready_and_then_says_nothing_is_removed_and_the_table_begins_without_it(said: tuple[str, ...]) -> None:
    table, cid = house(), sitter("Cid")
    table.come(sitter("Bob"))
    table.come(cid)
    table.ready("Bob")
    table.lost.add("Cid")
    table.invite.heard("Cid", "ready", True)
    for kind in said:
        table.invite.heard("Cid", kind, [table.invite.round, [bytes(32)]])
    table.settle()
    assert not table.invite.free
    table.invite.remove(cid.identity)
    table.settle()
    assert table.invite.free == (2,)
    table.come(sitter("Dan"))
    table.ready("Dan")
    assert table.got("Bob", Dealt) == table.got("Dan", Dealt) == table.got("inviter", Dealt)
    assert len(table.got("inviter", Dealt)) == 1


@pytest.mark.parametrize(
    ("guest", "code"),
    [
        (sitter("Bob", (0,)), "lobby/seat-taken"),
        (sitter("Bob", (), 3), "lobby/full"),
        (sitter("Bob", lobby=b"another lobby..."), "lobby/certificate"),
        (sitter("Ann"), "lobby/yourself"),
    ],
)
def test_a_newcomer_who_does_not_fit_is_told_why(guest: Sitter, code: str) -> None:
    table = house()
    table.come(guest)
    assert [effect.code for effect in table.got(guest.name, TurnedAway)] == [code]  # type: ignore[union-attr]
    assert len(table.invite.room) == 1


def test_without_the_ticket_nobody_sits_or_watches() -> None:
    for watch in (False, True):
        table = house()
        table.come(sitter("Bob"), good=False, watch=watch)
        assert [effect.code for effect in table.got("Bob", TurnedAway)] == ["lobby/proof"]  # type: ignore[union-attr]


def test_a_guest_hears_what_is_offered_before_it_sits() -> None:
    table = house()
    table.come(sitter("Bob"), sits=False)
    assert table.got("Bob", Offered) == [Offered(TERMS)]
    table.guests["Bob"].leave("content/other")
    table.settle()
    assert table.got("inviter", TurnedAway) == [TurnedAway("lobby/left", ("content/other",))]


def test_another_protocol_is_refused_by_its_number() -> None:
    table = house(replace(TERMS, protocol=2))
    table.come(sitter("Bob"), sits=False)
    assert table.got("Bob", TurnedAway) == [TurnedAway("lobby/protocol", ("2 starlock 1",))]


def test_a_watcher_gets_the_genesis_whether_it_comes_before_or_after_the_start() -> None:
    table = house()
    table.come(sitter("Early"), watch=True)
    table.come(sitter("Bob", (), 2))
    table.ready("Bob")
    table.come(sitter("Late"), watch=True)
    (dealt,) = table.got("inviter", Dealt)
    assert isinstance(dealt, Dealt)
    places = {table.invite.me.identity: table.invite.me.places, sitter("Bob").identity: ()}
    assert table.got("Early", Dealt) == table.got("Late", Dealt) == [Dealt(dealt.genesis, places)]
    assert all(dealt.places.values()), "a spectator is told where the inviter is, and of no other member"


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


def test_whoever_asks_to_watch_again_is_sent_nothing_again() -> None:
    table = house()
    table.come(sitter("Bob", (), 2))
    table.ready("Bob")
    table.come(sitter("Eve"), watch=True)
    for _ in range(100):
        table.invite.heard("Eve", "watch", proof(b"Eve"))
    table.settle()
    said = [effect for effect in table.got("inviter", Say) if effect.link == "Eve"]  # type: ignore[union-attr]
    assert [effect.kind for effect in said] == ["offer", "genesis"]  # type: ignore[union-attr]


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


def test_words_that_make_no_sense_end_the_link() -> None:
    table = house()
    table.come(sitter("Bob"))
    table.invite.heard("Bob", "sit", 7)
    table.settle()
    assert [effect.code for effect in table.got("Bob", TurnedAway)] == ["lobby/word"]  # type: ignore[union-attr]
    assert len(table.invite.room) == 1


def test_the_room_is_shown_to_all_who_sit() -> None:
    table = house()
    table.come(sitter("Bob"))
    table.come(sitter("Cid"))
    seen = table.got("Bob", RoomChanged)[-1]
    assert isinstance(seen, RoomChanged)
    assert ([row.name for row in seen.room], seen.free) == (["Ann", "Bob", "Cid"], 0)


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


WORDS = ("watch", "ready", "unready", "link", "sit", *8 * ("commit", "nonce"), "another commit")


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


@given(words=st.lists(st.tuples(KINDS, ODD), max_size=6))
def test_whatever_an_inviter_says_the_guest_stands(words: list[tuple[str, Value]]) -> None:
    table = house()
    table.come(sitter("Bob"))
    guest = table.guests["Bob"]
    for kind, body in words:
        guest.heard("Bob", kind, body)
    assert not [effect for effect in guest.effects() if isinstance(effect, Dealt)]


# A table's own content

CONTENT = b'[{"prices":[1,2,3]}]'
OWN = replace(TERMS, content=content_name(CONTENT))


def own_house(content: bytes = CONTENT, terms: Terms = OWN) -> House:
    table = house(terms)
    table.invite.content = content
    return table


def test_a_guest_sees_the_tables_own_content_before_it_sits() -> None:
    table = own_house()
    table.come(sitter("Bob"), sits=False)
    assert table.got("Bob", Offered) == [Offered(OWN, CONTENT)]
    table.come(sitter("Bob"))
    table.come(sitter("Cid"))
    table.ready("Bob", "Cid")
    dealt = [table.got(who, Dealt)[0] for who in ("inviter", "Bob", "Cid")]
    assert all(isinstance(each, Dealt) and each.genesis.content == OWN.content for each in dealt)


def test_a_watcher_and_a_member_who_comes_back_get_it_too() -> None:
    table = own_house()
    table.come(sitter("Bob"))
    table.come(sitter("Cid"))
    table.ready("Bob", "Cid")
    table.come(sitter("Eve"), sits=False, watch=True)
    assert table.got("Eve", Offered) == [Offered(OWN, CONTENT)]
    assert table.got("Eve", Dealt)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (CONTENT + b" ", "lobby/other-content"),
        (b'[{"prices":[9,9,9]}]', "lobby/other-content"),
        (bytes(MAX_CONTENT + 1), "lobby/content"),
    ],
)
def test_a_lying_host_whose_bytes_do_not_match_the_id_is_left(content: bytes, code: str) -> None:
    table = own_house(content)
    table.come(sitter("Bob"), sits=False)
    assert not table.got("Bob", Offered)
    assert table.got("Bob", TurnedAway) == [TurnedAway(code, table.got("Bob", TurnedAway)[0].detail)]  # type: ignore[union-attr]
    assert table.got("Bob", Close)


def test_content_of_any_length_up_to_the_greatest_is_read() -> None:
    for content in (b"1", bytes(MAX_CONTENT)):
        assert read_content([content], replace(OWN, content=content_name(content))) == content


@pytest.mark.parametrize("own", [[""], [b""], [None], [CONTENT, CONTENT], [[CONTENT]]])
def test_content_of_another_form_ends_the_lobby(own: list[Value]) -> None:
    guest = Guest(sitter("Ann").identity, lambda: bytes(32))
    guest.opened("link")
    guest.heard("link", "offer", [decode(encode(OWN.fields())), 0, [], *own])
    (away, _close) = guest.effects()
    assert isinstance(away, TurnedAway)
    assert away.code == "lobby/content"


def test_the_greatest_offer_fits_into_one_message() -> None:
    name = "n" * 96
    files = {f"{number:0100}": bytes(16) for number in range(64)}
    options = {f"{number:032}": "v" * 32 for number in range(16)}
    terms = replace(OWN, files=files, options=options)
    rows = [Row(seat, name, "l" * 32) for seat in range(MAX_SEATS)]
    room = [Seated(bytes(32), tuple(rows[seat::9]), True).fields() for seat in range(9)]
    offer: Plain = [terms.fields(), MAX_SEATS, room, bytes(MAX_CONTENT)]
    assert len(pack(Lobby("offer", decode(encode(offer))))) <= MAX_MESSAGE
