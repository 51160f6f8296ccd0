"""A member asks the others, from another device, to let its new key go on. They see a vote; nobody else can ask."""

from __future__ import annotations

import pytest
import trio
from house import House, without_threads
from trio.testing import MockClock

from client.session.log import proposals_of
from client.table.confirmation import PATIENCE
from client.table.contact import ALONE
from client.table.moving import MOVE, TOLD, Moving
from client.table.notice_words import notice_text
from client.table.notices import (
    LinkChange,
    LinkChanged,
    MoveAsked,
    OwnFeedConfirmed,
    Party,
    PeerStopped,
    VoteNotice,
    VoteStage,
)
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.pacts import moving_lobby
from p2p.lockstep.voting import Vote
from p2p.wire.codec import Value, decode, encode
from seeds.hashing import H

LOST = 2
"""The seat of who has lost its machine."""
NEW = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


async def lost(house: House, after: int = 6) -> None:
    """Play for a while, then lose a machine for good."""
    await house.until(lambda: house.voice(0).position.height > after)
    house.tables[LOST].finish()
    house.cut(LOST)


def came_back(house: House, keys: TableKeys = NEW) -> int:
    """Let a new device of that member come, which asks those whom it is linked with."""
    number = house.device(LOST, keys)
    Moving(house.tables[number], house.voice(number), house.identity(number))
    house.sit(number, person=False, new=True)
    for other in range(LOST):
        house.link(other, number)
    return number


def votes(house: House, seat: int) -> list[Vote]:
    controls = house.players[seat].controls
    assert controls is not None
    return list(controls.votes())


async def vote(house: House, seat: int, *, yes: bool = True) -> None:
    await house.until(lambda: votes(house, seat))
    controls = house.players[seat].controls
    assert controls is not None
    (one,) = votes(house, seat)
    assert one.pact.kind == "moved"
    (told,) = proposals_of(controls, ())
    assert "go on with a new key" in told.text
    assert "go back to the decks" in told.text
    assert controls.vote(one.pact.id, yes) is None


async def test_the_others_see_what_they_sign_and_the_new_key_plays_on_to_the_end(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open(persons=(0, 1)):
        await lost(house)
        new = came_back(house)
        await vote(house, 0)
        await vote(house, 1)
        honest = (0, 1, new)
        await house.until(lambda: all(house.voice(number).position.over for number in honest))
        assert len({house.voice(number).position.head for number in honest}) == 1
        assert house.voice(0).position.owner[LOST] == NEW.key.public
        assert not any(house.voice(number).faults for number in honest)
        said = {entry.kind for entry in house.voice(0).feeds.feed(NEW.key.public)}
        assert said > {"join", "result"}
    asked = [notice for notice in house.players[new].notices if isinstance(notice, MoveAsked)]
    assert {member.name for notice in asked for member in notice.members} == {"Player 0", "Player 1"}


async def test_a_member_that_moved_is_named_once_when_its_machines_come_and_go(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open(persons=(0, 1)):
        for player in house.players[:LOST]:
            player.slow = 600
        await lost(house, after=0)
        new = came_back(house)
        for number in range(LOST):
            await vote(house, number)
        await house.until(house.players[new].agreed, 6000)
        house.players[0].notices.clear()
        house.cut(new)
        house.cut(1)
        await trio.sleep(2 * ALONE)
        house.link(0, new)
        await house.until(lambda: contact(house, 0, LinkChange.UP))
        (down, also), (alone,) = contact(house, 0, LinkChange.DOWN), contact(house, 0, LinkChange.ALONE)
        assert [down.members, also.members] == [(Party(new, "Player 2"),), (Party(1, "Player 1"),)]
        assert alone.members == (Party(1, "Player 1"), Party(new, "Player 2"))
        assert [told.members for told in contact(house, 0, LinkChange.UP)] == [(Party(new, "Player 2"),)]


def contact(house: House, number: int, change: LinkChange) -> list[LinkChanged]:
    told = house.players[number].notices
    return [each for each in told if isinstance(each, LinkChanged) and each.change is change]


async def test_the_machine_that_a_member_has_moved_from_is_not_told_that_it_can_play(
    autojump_clock: MockClock,
) -> None:
    house = House(3)
    async with house.open(persons=(0, 1), resumed=(LOST,)):
        old = house.players[LOST]
        await house.until(lambda: house.voice(0).position.height > 6)
        house.cut(LOST)
        house.voice(LOST).lapse()
        new = came_back(house)
        for number in range(LOST):
            await vote(house, number)
        await house.until(house.players[new].agreed, 6000)
        await house.until(lambda: PeerStopped("lockstep/unconfirmed") in old.notices)
        old.notices.clear()
        house.link(0, LOST)
        await house.until(lambda: PeerStopped("lockstep/moved") in old.notices)
        await trio.sleep(2 * PATIENCE)
        assert not [told for told in old.notices if isinstance(told, OwnFeedConfirmed)]


async def test_who_asks_is_told_that_the_vote_has_passed_while_its_step_still_waits(autojump_clock: MockClock) -> None:
    """A vote takes effect when its step ends, and that may wait for somebody who thinks. Told once, and to all."""
    house = House(3)
    async with house.open(persons=(0, 1)):
        for player in house.players[:LOST]:
            player.slow = 600
        await house.until(lambda: any(player.asked for player in house.players[:LOST]))
        await lost(house, after=0)
        new = came_back(house)
        await vote(house, 0)
        await trio.sleep(20)
        assert not passed(house, new)
        await vote(house, 1)
        await house.until(lambda: passed(house, new))
        height = house.voice(0).position.height
        assert not house.players[new].agreed()
        await house.until(house.players[new].agreed, 6000)
        for number in (0, 1, new):
            (told,) = passed(house, number)
            assert (told.kind, told.at, str(*told.out), told.by) == ("moved", height, "Player 2", None)
            assert "as soon as step" in notice_text(told)


def passed(house: House, number: int) -> list[VoteNotice]:
    told = house.players[number].notices
    return [each for each in told if isinstance(each, VoteNotice) and each.stage is VoteStage.PASSED]


async def test_nothing_is_signed_by_the_new_key_before_the_others_agree(autojump_clock: MockClock) -> None:
    """Not even a claim that somebody keeps the table waiting, or a chat."""
    house = House(3)
    async with house.open(persons=(0, 1)):
        await lost(house)
        new = came_back(house)
        await house.until(lambda: votes(house, 0))
        await trio.sleep(300)
        refused = house.voice(new).chat("hello")
        assert refused is not None
        assert refused.code == "lockstep/moving"
        assert not house.voice(new).feeds.feed(NEW.key.public)


async def test_who_declines_is_named_and_who_asks_again_is_shown_again(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open(persons=(0, 1)):
        await lost(house)
        new = came_back(house)
        await vote(house, 0, yes=False)
        await house.until(lambda: any(isinstance(each, VoteNotice) for each in house.players[new].notices))
        (told,) = [each for each in house.players[new].notices if isinstance(each, VoteNotice)]
        assert (told.stage, told.kind, str(told.by), told.reason) == (
            VoteStage.REFUSED, "moved", "Player 0", "pact/declined",
        )  # fmt: skip
        assert not votes(house, 0)
        house.part(0, new)
        house.link(0, new)
        await house.until(lambda: votes(house, 0))


async def test_a_yes_that_could_not_be_signed_can_be_said_again(autojump_clock: MockClock) -> None:
    """At a table of two it always is so: who could confirm that this copy is the newest has lost its machine."""
    house = House(3)
    async with house.open(persons=(0, 1)):
        await lost(house)
        came_back(house)
        await house.until(lambda: votes(house, 0))
        controls = house.players[0].controls
        assert controls is not None
        (asked,) = votes(house, 0)
        house.voice(0).signing.lapse()
        refused = controls.vote(asked.pact.id, True)
        assert refused is not None
        assert refused.code == "lockstep/unconfirmed"
        house.voice(0).signing.confirm()
        await vote(house, 0)


def request(house: House, owner: int = LOST, lobby: bytes = b"", key: bytes = NEW.key.public) -> Value:
    old = house.key(LOST)
    certificate = certify(house.identity(owner), key, lobby or moving_lobby(house.genesis.table, old), "device")
    return decode(encode([certificate.fields(), False]))


async def test_only_the_identity_that_sits_there_can_ask(autojump_clock: MockClock) -> None:
    """Neither another member nor a stranger, and with no certificate that was made for anything else."""
    house = House(3)
    async with house.open(persons=(0, 1)):
        await lost(house)
        link = next(name for name, each in house.switches[0].links.items() if each.there == 1)
        bad: list[Value] = [request(house), None, [], [[], True], ["x", 1], [request(house, lobby=b"test lobby"), True]]
        for body in bad:
            await house.tables[0].word(link, MOVE, body)
        assert not votes(house, 0)
        device = house.device(LOST, NEW)
        house.link(0, device)
        link = next(name for name, each in house.switches[0].links.items() if each.there == device)
        for body in (request(house, owner=1), request(house, lobby=b"test lobby"), request(house, key=house.key(1))):
            await house.tables[0].word(link, MOVE, body)
        assert not votes(house, 0)
        await house.tables[0].word("nobody", MOVE, request(house))
        assert not votes(house, 0)
        await house.tables[0].word(link, MOVE, request(house))
        assert len(votes(house, 0)) == 1


async def test_requests_without_end_are_one_vote_and_few_notices(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open(persons=(0, 1)):
        await lost(house)
        device = house.device(LOST, NEW)
        house.link(0, device)
        link = next(name for name, each in house.switches[0].links.items() if each.there == device)
        for number in range(20):
            key = SigningKey.from_seed(H("another", number)).public
            await house.tables[0].word(link, MOVE, request(house, key=key))
        assert len(votes(house, 0)) == 1
        told = [n for n in house.players[0].notices if isinstance(n, VoteNotice) and n.kind == "moved"]
        assert len(told) == TOLD


async def test_bots_let_nobody_move(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open(persons=(0,)):
        await lost(house)
        came_back(house)
        await vote(house, 0)
        await house.until(
            lambda: any(
                house.voice(1).ballots.refused(pact, house.key(1)) == "pact/nobody-to-ask"
                for pact in house.voice(1).ballots.pacts.values()
            )
        )
        assert house.voice(0).position.owner[LOST] == house.key(LOST)
