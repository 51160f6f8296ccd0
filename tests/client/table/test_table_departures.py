"""Sealed tables of real games: a member vanishes for good, or a seat passes to somebody else, and the game goes on to
its end with the survivors' hands as they were."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from recorded import GameTable

from client.session.log import proposals_of
from client.table.machine import GameMachine
from engine.core.agenda import Table
from engine.core.cards import Handle
from engine.core.events import Event
from engine.core.match import Match
from engine.core.registry import GameSpec, game, settle_options
from engine.core.sections import row_of
from engine.core.values import plain
from engine.eclipse.combat.reputation import KeepTile
from engine.rex.plans import PlanBattle
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.audit import audit
from p2p.lockstep.effects import Happened
from p2p.lockstep.genesis import Genesis, Member, Row
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import Pact
from p2p.lockstep.voting import Vote
from p2p.testing.tables import DirectTable, changed_cards, member, opened
from p2p.wire.codec import Value, decode, encode

SPECIES = "hydran,planta,mechanema,eridani"
"""The last one begins with two reputation tiles."""


def opening(spec: GameSpec, seats: int = 4, **options: str) -> GameMachine:
    """A game of so many seats, of Eclipse four. In Eclipse everybody draws a reputation tile before the first round,
    in Rex the first and the last player fight."""
    table = settle_options(spec, seats, options)
    assert isinstance(table, Table)
    state = Match.new(spec, table).segment_start()
    if spec.id == "eclipse2":
        after = next(at for at, item in enumerate(state.flow.agenda) if item[0] == "reputation")
        centre = state.const.sector_index["001"]
        state.flow.agenda[after + 1 : after + 1] = [["draw-reputation", centre, seat, 1, 0] for seat in range(4)]
    if spec.id == "rex":
        palace = state.const.space_index["imperial-palace"]
        state.flow.agenda[-1:] = [["fight", palace, 0, seats - 1], *state.flow.agenda[-1:]]
    return GameMachine(Match(spec, state))


class Departed(GameTable):
    """A table of which members leave. Seats answer as their stand-ins would, but keep tiles and commit cards."""

    def __init__(self, spec: GameSpec, seats: int = 4, **options: str) -> None:
        self.fresh = opening(spec, seats, **options)
        agreed: dict[str, Value] = dict(self.fresh.match.g.table.options)
        each = [[seat] for seat in range(seats)]
        DirectTable.__init__(self, each, 1, machine=self.fresh.clone(), game=spec.id, options=agreed)
        assert self.genesis.sealed
        self.start()

    def pick(self, peer: Lockstep, seat: int) -> list[Value]:
        match = machine_of(peer).match
        ask = match.ask_of(seat)
        if isinstance(ask, KeepTile):
            return [plain(ask.options(match.g)[-1])]
        if isinstance(ask, PlanBattle):
            return [plain((0, ask.leaders[0], "attack"))]
        return [plain(match.caretaker(seat))]

    def vanish(self, number: int) -> None:
        """This member is out of reach, and the others agree that it will not come back."""
        self.cut_off.add(number)
        self.play()
        self.agree("absent", [number])
        self.agree("gone", [number])

    def agree(self, kind: str, out: Sequence[int] = (), terms: Value = None) -> None:
        here = [peer for number, peer in enumerate(self.peers) if number not in self.cut_off]
        assert here[0].propose(kind, [self.keys[number].key.public for number in out], terms) is None
        self.settle()
        for peer in here:
            for vote in peer.votes():
                if peer.me in vote.missing:
                    assert peer.sign(vote.pact.id) is None
        self.settle()

    def told(self, id: str) -> list[Event]:
        happened = [effect for effect in self.seen[0] if isinstance(effect, Happened)]
        events = [event for effect in happened for event in effect.events if isinstance(event, Event)]
        return [event for event in events if event.id == id]

    def newcomer(self, seat: int) -> tuple[Lockstep, Value]:
        keys = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)
        certificate = certify(SigningKey.from_seed(b"i" * 32), keys.key.public, self.genesis.table, "laptop")
        record = decode(encode(Member(certificate, (Row(seat, "Newcomer"),), bytes(32)).record()))
        return member(self.genesis, keys, self.fresh.clone()), record

    def join(self, late: Lockstep) -> None:
        for entry in self.peers[0].feeds.entries:
            late.take(entry)
        late.start(new=True)
        self.peers.append(late)
        self.seen.append([])
        self.settle()

    def ended(self) -> None:
        """The game is over for all who are here, alike, without faults, and its log holds."""
        here = [peer for number, peer in enumerate(self.peers) if number not in self.cut_off]
        assert all(peer.position.over for peer in here), [peer.position.step.kind for peer in here]
        assert len({peer.position.head for peer in here}) == 1
        assert not [peer.faults for peer in here if peer.faults]
        found = audit(self.peers[0].feeds.entries, self.judge)
        assert found.ok, found.problems
        assert found.complete
        assert found.state == self.peers[0].position.state

    def judge(self, genesis: Genesis) -> GameMachine:
        assert genesis == self.genesis
        return self.fresh.clone()


def machine_of(peer: Lockstep) -> GameMachine:
    machine = peer.machine
    assert isinstance(machine, GameMachine)
    return machine


def until(table: Departed, word: str) -> None:
    """Play until this is asked."""
    while word not in asked(table):
        assert table.step()


def asked(table: Departed) -> list[str]:
    match = machine_of(table.peers[0]).match
    asks = [match.ask_of(seat) for seat in match.owing()]
    return [ask.word for ask in asks if ask is not None]


def tiles(peer: Lockstep, seat: int) -> list[Handle]:
    held = row_of(machine_of(peer).match.g.seats.reputation, seat)
    return [Handle("reputation", tile - 1) for tile in held if tile > 0]


def keep_their_tiles(table: Departed, held: dict[int, list[Handle]]) -> None:
    """Who has stayed holds the same tiles, and they count what was seen of them when they were drawn."""
    shown = {event.args["seat"]: event.args["value"] for event in table.told("score/reputation")}
    for seat, before in held.items():
        lens = machine_of(table.peers[seat]).lens(seat)
        assert tiles(table.peers[0], seat) == before
        assert shown[seat] == sum(int(str(lens[tile])) for tile in before)


def test_a_game_of_eclipse_goes_on_when_a_member_is_gone_and_its_tiles_return_to_the_bag() -> None:
    table = Departed(game("eclipse2"), species=SPECIES)
    until(table, "menu")
    held = {seat: tiles(table.peers[0], seat) for seat in range(4)}
    assert [len(held[seat]) for seat in range(4)] == [1, 1, 1, 3]
    table.vanish(3)
    table.play()
    table.ended()
    assert [dict(event.args) for event in table.told("reputation/hand-returned")] == [{"seat": 3, "tiles": 3}]
    keep_their_tiles(table, {seat: held[seat] for seat in range(3)})
    assert not tiles(table.peers[0], 3)


def test_a_seat_of_eclipse_passes_to_a_newcomer_whose_key_joins_the_decks() -> None:
    table = Departed(game("eclipse2"), species=SPECIES)
    until(table, "menu")
    held = {seat: tiles(table.peers[0], seat) for seat in range(3)}
    late, record = table.newcomer(3)
    table.agree("seat", (), [3, record])
    table.join(late)
    table.cut_off.add(3)  # its player has left, and nothing waits for the former key
    table.play()
    table.ended()
    assert late.me in late.position.members
    ring = late.position.chance.ring
    assert ring is not None
    assert late.me in ring.members
    assert table.keys[3].key.public not in ring.members
    assert [dict(event.args) for event in table.told("reputation/hand-returned")] == [{"seat": 3, "tiles": 3}]
    keep_their_tiles(table, held)
    assert any(entry.kind == "answer" and entry.author == late.me for entry in table.peers[0].feeds.entries)


@pytest.mark.soak
def test_a_battle_of_rex_is_fought_to_its_end_when_a_fighter_is_gone_whose_cards_lie_sealed() -> None:
    table = Departed(game("rex"), factions="sol,hacan,jol-nar,letnev", betrayal="on")
    until(table, "commit-cards")
    match = machine_of(table.peers[0]).match
    assert list(match.g.battle.seat) == [0, 3]
    own = {seat: dict(machine_of(table.peers[seat]).lens(seat)) for seat in range(3)}
    assert table.peers[3].answer(3, table.pick(table.peers[3], 3)) is None
    table.settle()
    table.vanish(3)
    while machine_of(table.peers[0]).match.g.battle.space >= 0:
        assert table.step()
    assert table.told("battle/result")
    table.play()
    table.ended()
    g = machine_of(table.peers[0]).match.g
    (returned,) = table.told("card/hand-returned")
    assert returned.args["seat"] == 3
    assert (g.seats.hand[3], g.seats.traitors[3], g.seats.betrayal[3]) == ([], [], 0)
    for seat in range(3):
        decks = table.peers[seat].position.chance.decks
        assert decks is not None
        for index in g.seats.hand[seat]:
            lying = decks.lying["strategy", index]
            assert lying.known is not None, "hands are opened at the end"
            assert own[seat].get(Handle("strategy", index)) == decks.faces["strategy"][lying.known]


@pytest.mark.soak
@pytest.mark.parametrize(("seats", "leave"), [(4, 2), (6, 4)])
def test_a_game_of_rex_keeps_every_hand_however_many_are_gone_one_after_the_other(seats: int, leave: int) -> None:
    """Each leaves when a card is up for bidding; between them cards are drawn, played, shown and shuffled."""
    factions = ["sol", "hacan", "jol-nar", "letnev", "lazax", "xxcha"][:seats]
    table, stay = Departed(game("rex"), seats, factions=",".join(factions), betrayal="on"), seats - leave
    for number in reversed(range(stay, seats)):
        until(table, "bid")
        assert any(machine_of(table.peers[0]).match.g.seats.hand[:stay]), "there is something to lose"
        table.vanish(number)
        assert table.step()
    table.play()
    table.ended()
    position = table.peers[0].position
    decks = position.chance.decks
    assert decks is not None
    assert decks.keys.members == tuple(peer.me for peer in table.peers[:stay])
    assert len({height for height, _ in position.chance.anew}) >= leave
    read = {handle for peer in table.peers[:stay] for look in peer.position.chance.looks for handle, _ in look.cards}
    assert len(read & opened(position).keys()) > stay
    assert not [changed_cards(peer.position) for peer in table.peers[:stay] if changed_cards(peer.position)]


def test_a_vote_on_a_seat_says_who_gives_it_to_whom_and_terms_of_another_shape_break_nothing() -> None:
    keys = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)
    certificate = certify(SigningKey.from_seed(b"i" * 32), keys.key.public, bytes(32), "laptop")
    record = decode(encode(Member(certificate, (Row(1, "Dora"),), bytes(32)).record()))
    told, cases = [], list[list[Value]]([[1, record], [1, []], [9, record]])
    for terms in cases:
        pact = Pact("seat", 3, bytes(32), (), terms)
        genesis = SimpleNamespace(members=(), seats=3)
        controls: Any = SimpleNamespace(
            genesis=genesis, votes=lambda pact=pact: [Vote(pact, (), None)], name=lambda seat: "Bob",
            proposer=lambda pact: "Bob",
        )  # fmt: skip
        told += [each.text for each in proposals_of(controls, [])]
    assert told == ["pass the seat of Bob on to Dora, if Bob agrees", *["give a seat to somebody else"] * 2]
