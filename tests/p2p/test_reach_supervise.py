"""Links come back by themselves, one to each process, whatever happens to machines and networks."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from reachworld import MEETING, OTHER, Peer, World, sighting, want, world
from trio.testing import MockClock
from volume import seeds

from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.meet import Local
from p2p.reach.announce import LanAnnouncement, Sighting, read_announcement, tag
from p2p.reach.backoff import (
    MOST,
    PATIENCE,
    RARELY,
    Backoff,
)
from p2p.reach.news import Came, Trouble, Went
from p2p.reach.supervise import Supervisor, open_supervisor
from p2p.reach.wanted import MAX_ADDRESSES, Wanted
from p2p.wire.address import at_endpoint, at_friend, endpoint_of


async def test_two_who_want_each_other_keep_exactly_one_link_the_lower_ones(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (_, (ann, bob)):
        want(ann, bob)
        want(bob, ann)
        await trio.sleep(60)
        assert (ann.up(), bob.up()) == ([bob.id], [ann.id])
        low = min(ann, bob, key=lambda peer: (peer.id, peer.local.instance))
        for peer in (ann, bob):
            (link,) = peer.supervisor.links.values()
            assert link.pipe.dialed == (peer is low)
            assert {"bye/double", "bye/replaced"}.issuperset(peer.codes())


async def test_news_of_one_process_come_and_go_by_turns(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (_, (ann, bob)):
        want(ann, bob)
        want(bob, ann)
        for _ in range(4):
            await trio.sleep(30)
            for link in list(ann.supervisor.links.values()):
                link.drop("link/broken")
        await trio.sleep(30)
        for peer in (ann, bob):
            kinds = [type(each) for each in peer.news if not isinstance(each, Trouble)]
            assert kinds == [Came, Went] * (len(kinds) // 2) + [Came]
            assert len(kinds) >= 9


async def test_a_broken_link_is_made_again_within_a_second(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (_, (ann, bob)):
        want(ann, bob)
        await trio.sleep(30)
        ann.supervisor.links[bob.id, bob.local.instance].drop("link/broken")
        await trio.sleep(1)
        assert (ann.up(), bob.up()) == ([bob.id], [ann.id])
        assert ann.codes() == ["link/broken"]


async def test_a_cut_cable_is_noticed_and_survived(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (made, (ann, bob)):
        want(ann, bob)
        want(bob, ann)
        await trio.sleep(30)
        made.network.partition([ann.id], [bob.id])
        made.unreachable = {("a", "b"), ("b", "a")}
        await trio.sleep(7)
        assert ann.up() == bob.up() == []
        assert ann.codes()[-1] == bob.codes()[-1] == "link/dead"
        await trio.sleep(60)
        made.network.heal()
        made.unreachable = set()
        await trio.sleep(MOST + 2)
        assert (ann.up(), bob.up()) == ([bob.id], [ann.id])


async def test_one_side_that_cannot_dial_does_not_matter(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (made, (ann, bob)):
        made.unreachable = {("a", "b")}
        want(ann, bob)
        want(bob, ann)
        await trio.sleep(10)
        assert (ann.up(), bob.up()) == ([bob.id], [ann.id])
        assert [each.code for each in ann.news if isinstance(each, Trouble)] == ["link/unreachable"]


async def test_redials_come_seldom_after_ten_minutes_but_never_stop(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (_, (ann, bob)):
        bob.answers = False
        want(ann, bob)
        await trio.sleep(3_600)
        times = [time for time, _ in ann.dials]
        assert times[1] - times[0] < 0.5
        early = [time for time in times if time < PATIENCE]
        assert PATIENCE / MOST < len(early) < PATIENCE
        assert 15 <= times[-1] - times[-2] <= RARELY + 0.1
        bob.answers = True
        await trio.sleep(RARELY + 1)
        assert ann.up() == [bob.id]


async def test_a_peer_that_hangs_up_at_once_is_not_dialed_in_a_tight_loop(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (_, (ann, bob)):
        want(ann, bob)

        async def hang_up() -> None:
            while True:
                await trio.sleep(0.02)
                for link in list(bob.supervisor.links.values()):
                    await link.aclose("bye/not-admitted")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(hang_up)
            await trio.sleep(120)
            nursery.cancel_scope.cancel()
        assert 20 < len(ann.dials) < 80


async def test_waking_from_sleep_drops_all_links_and_redials_at_once(autojump_clock: MockClock) -> None:
    async with world("a", "b", "c") as (_, (ann, bob, cyd)):
        cyd.answers = False
        want(ann, bob)
        want(ann, cyd)
        await trio.sleep(1_200)
        ann.dials.clear()
        ann.wall += 3_600
        await trio.sleep(3)
        assert "link/slept" in ann.codes()
        assert {host for _, host in ann.dials} == {"b", "c"}
        assert ann.up() == [bob.id]


async def test_a_link_that_fell_silent_is_told_as_a_loss_and_one_that_was_closed_is_not(
    autojump_clock: MockClock,
) -> None:
    async with world("a", "b", "c") as (made, (ann, bob, cyd)):
        want(ann, bob)
        want(ann, cyd)
        await trio.sleep(5)
        for link in list(cyd.supervisor.links.values()):
            await link.aclose("bye/leave")
        await trio.sleep(5)
        assert ann.lost == 0
        made.network.cut(ann.id, bob.id)
        await trio.sleep(20)
        assert bob.lost > 0 == cyd.lost  # what Ann says does not arrive


async def test_a_small_step_of_the_clock_is_no_sleep(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (_, (ann, bob)):
        want(ann, bob)
        await trio.sleep(30)
        ann.wall += 9
        await trio.sleep(3)
        ann.wall -= 86_400
        await trio.sleep(3)
        assert ann.codes() == []


async def test_a_new_address_of_this_machine_redials_but_keeps_links(autojump_clock: MockClock) -> None:
    async with world("a", "b", "c") as (_, (ann, bob, cyd)):
        cyd.answers = False
        want(ann, bob)
        want(ann, cyd)
        await trio.sleep(1_200)
        cyd.answers = True
        ann.addresses.append("10.0.0.9")
        await trio.sleep(2.5)
        assert ann.up() == sorted([bob.id, cyd.id])
        assert ann.codes() == []


async def test_all_addresses_are_tried_and_the_first_that_answers_wins(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (_, (ann, bob)):
        want(ann, bob, "nowhere", "gone", "b")
        await trio.sleep(2)
        assert ann.up() == [bob.id]
        assert [host for _, host in ann.dials] == ["nowhere", "gone", "b"]


async def test_another_person_at_the_address_is_told_once_and_never_linked(autojump_clock: MockClock) -> None:
    async with world("a", "b", "e") as (_, (ann, bob, eve)):
        bob.answers = False
        want(ann, bob, "e", "b")
        await trio.sleep(60)
        assert ann.up() == []
        assert [each for each in ann.news if isinstance(each, Trouble)] == [
            Trouble(bob.id, "link/other-identity", (eve.id,))
        ]


async def test_who_restarts_is_linked_anew_before_the_old_link_is_found_dead(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (made, (ann, bob)):
        want(ann, bob)
        await trio.sleep(20)
        again = made.peers["b2"] = Peer(made, "b", 9)
        assert again.id == bob.id
        one, other = made.network.connect(again.id, ann.id)
        one.instance, other.instance = ann.local.instance, again.local.instance
        ann.incoming.send_nowait(other)
        await trio.sleep(0.5)
        assert ann.up() == [bob.id, bob.id]
        await one.aclose()


async def test_a_sighting_of_somebody_with_our_meeting_is_dialed_while_it_lasts(autojump_clock: MockClock) -> None:
    async with world("a", "b", "c") as (_, (ann, bob, cyd)):
        ann.supervisor.sighted(sighting(bob, MEETING))
        ann.supervisor.sighted(sighting(cyd, OTHER))
        ann.supervisor.sighted(sighting(ann, MEETING))
        await trio.sleep(3)
        assert ann.up() == [bob.id]
        assert {host for _, host in ann.dials} == {"b"}
        bob.answers = False
        for link in list(bob.supervisor.links.values()):
            await link.aclose("bye/leave")
        await trio.sleep(60)
        ann.dials.clear()
        await trio.sleep(60)
        assert ann.dials == []


async def test_a_sighting_of_a_restarted_process_does_not_spin(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (_, (ann, bob)):
        for _ in range(10):
            false = sighting(bob, MEETING, b"old name")
            ann.supervisor.sighted(false)
            await trio.sleep(3)
        assert ann.up() == [bob.id]
        assert len(ann.dials) < 40


async def test_who_is_heard_is_dialed_where_it_listens_and_met_where_it_connects_from(
    autojump_clock: MockClock,
) -> None:
    async with world("a") as (_, (ann,)):
        data = LanAnnouncement(b"instance", 4_000, (tag(MEETING, b"instance"),), calling=4_001).pack()
        ann.supervisor.sighted(read_announcement(data, "192.168.1.7"))
        await trio.sleep(1)
        assert {host for _, host in ann.dials} == {"192.168.1.7"}
        assert set(ann.punches) == {"tcp://192.168.1.7:4001"}


async def test_a_flood_of_sightings_is_bounded(autojump_clock: MockClock) -> None:
    async with world("a") as (_, (ann,)):
        for number in range(1_000):
            instance = number.to_bytes(8, "big")
            ann.supervisor.sighted(Sighting(at_endpoint("x", 1), instance, (tag(MEETING, instance),), None))
        await trio.sleep(0.1)
        assert len(ann.dials) == 32


async def test_who_is_forgotten_is_dialed_no_more(autojump_clock: MockClock) -> None:
    async with world("a", "b") as (_, (ann, bob)):
        bob.answers = False
        want(ann, bob)
        await trio.sleep(10)
        ann.supervisor.forget(bob.id)
        ann.supervisor.forget(bob.id)
        ann.dials.clear()
        bob.answers = True
        await trio.sleep(60)
        assert ann.dials == []
        want(ann, bob)
        await trio.sleep(1)
        assert ann.up() == [bob.id]


async def test_leaving_says_good_bye_to_everybody(autojump_clock: MockClock) -> None:
    async with world("b") as (made, (bob,)):
        ann = made.peers["a"] = Peer(made, "a", 5)
        async with open_supervisor(ann.supervisor):
            want(ann, bob)
            await trio.sleep(5)
            assert bob.up() == [ann.id]
        await trio.sleep(0.5)
        assert bob.codes() == ["bye/leave"]


async def test_who_is_cancelled_from_outside_can_still_say_good_bye(autojump_clock: MockClock) -> None:
    """The links were cut with the block, and the others missed a friend that had left."""
    async with world("b") as (made, (bob,)):
        ann = made.peers["a"] = Peer(made, "a", 5)
        with trio.CancelScope() as asked:
            async with open_supervisor(ann.supervisor):
                want(ann, bob)
                await trio.sleep(5)
                assert bob.up() == [ann.id]
                asked.cancel()
                try:
                    await trio.sleep_forever()
                finally:
                    with trio.CancelScope(shield=True):
                        await ann.supervisor.close_all("bye/leave")
        assert asked.cancelled_caught
        await trio.sleep(0.5)
        assert bob.codes() == ["bye/leave"]


async def test_who_is_cancelled_before_it_has_begun_ends(autojump_clock: MockClock) -> None:
    async with world() as (made, _):
        ann = Peer(made, "a", 5)
        with trio.move_on_after(5) as patience:
            with trio.CancelScope() as asked:
                asked.cancel()
                async with open_supervisor(ann.supervisor):
                    await trio.sleep_forever()
            assert asked.cancelled_caught
        assert not patience.cancelled_caught


async def test_six_peers_end_up_with_one_link_for_each_pair(autojump_clock: MockClock) -> None:
    async with world(*"abcdef") as (_, peers):
        for peer in peers:
            for other in peers:
                if other is not peer:
                    want(peer, other)
        await trio.sleep(30)
        for peer in peers:
            assert peer.up() == sorted(other.id for other in peers if other is not peer)
            assert len(peer.supervisor.links) == 5


def test_of_too_many_addresses_the_best_and_the_newest_stay() -> None:
    wanted = Wanted(MEETING, None, [])
    for number in range(40):
        wanted.learn(at_endpoint(f"host-{number}", 1))
        wanted.learn(at_endpoint(f"host-{number}", 1))
    assert [endpoint_of(address)[0] for address in wanted.addresses] == [
        "host-0",
        *(f"host-{number}" for number in range(41 - MAX_ADDRESSES, 40)),
    ]


@given(st.integers(0, 2**32), st.lists(st.floats(0, 20), max_size=60))
def test_a_pause_is_never_longer_than_the_phase_allows(seed: int, steps: list[float]) -> None:
    now = 0.0
    backoff = Backoff(Random(seed), now)
    for attempt, step in enumerate(steps):
        pause = backoff.pause(now)
        assert 0.125 <= pause <= (RARELY if now > PATIENCE else min(MOST, 0.25 * 2**attempt))
        now += pause + step
    backoff.reset(now)
    assert backoff.pause(now) <= 0.25


async def chaos(made: World, peers: list[Peer], random: Random) -> None:
    """One random mishap."""
    one, other = random.sample(peers, 2)
    match random.randrange(7):
        case 0:
            made.network.cut(one.id, other.id)
        case 1:
            made.unreachable.add((one.host, other.host))
        case 2:
            made.network.heal()
            made.unreachable.clear()
        case 3:
            one.answers = not one.answers
        case 4:
            one.wall += 60
        case 5:
            one.supervisor.sighted(sighting(other, MEETING))
        case _:
            for link in list(one.supervisor.links.values())[:1]:
                await link.aclose("bye/closed")


@pytest.mark.parametrize("seed", seeds(1))
async def test_after_any_mishaps_everybody_is_linked_once_to_everybody(seed: int, autojump_clock: MockClock) -> None:
    random = Random(seed)
    async with world(*"abcd") as (made, peers):
        for peer in peers:
            for other in peers:
                if other is not peer:
                    want(peer, other)
        for _ in range(60):
            await chaos(made, peers, random)
            await trio.sleep(random.choice([0.0, 0.01, 0.3, 3.0, 8.0]))
        made.network.heal()
        made.unreachable.clear()
        for peer in peers:
            peer.answers = True
        await trio.sleep(RARELY + 10)
        for peer in peers:
            assert peer.up() == sorted(other.id for other in peers if other is not peer)
            for link in peer.supervisor.links.values():
                (far,) = (each for each in peers if each.id == link.peer_id)
                assert far.supervisor.links[peer.id, peer.local.instance].pipe.binding == link.pipe.binding


async def test_everybody_linked_directly_is_a_relay_and_nobody_behind_one() -> None:
    _, pipes = trio.open_memory_channel[Pipe](1)
    supervisor = Supervisor(Local(SigningKey.from_seed(b"a" * 32), "test"), pipes)
    links: Any = {
        (b"friend", b"instance"): SimpleNamespace(pipe=SimpleNamespace(via="")),
        (b"other", b"instance"): SimpleNamespace(pipe=SimpleNamespace(via="relay://192.0.2.1:4000")),
    }
    supervisor.links = links
    assert supervisor.friends() == {at_friend(b"friend"): b"friend"}
    with pytest.raises(LinkRefusedError, match="link/unreachable"):
        await supervisor.visit(at_friend(b"other"), 0)
    await pipes.aclose()
