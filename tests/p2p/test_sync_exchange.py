"""Have, want and push: everybody gets everything, in windows, over whatever links there are."""

from __future__ import annotations

from typing import Any

import pytest
from volume import gated
from wires import Wires, fresh, played

from p2p.identity.keys import SigningKey
from p2p.link.live import MAX_QUEUE
from p2p.lockstep.effects import Effect, Keep
from p2p.lockstep.follower import Follower
from p2p.sync.exchange import HAVE_EVERY, SELDOM, Exchange, TableMessage
from p2p.sync.links import PROMISE, WINDOW, Received
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.messages import Feed, Have, Push, Want


def test_what_is_missing_by_less_than_a_window_is_pushed_without_asking() -> None:
    table = played()
    wires = Wires(table, {"a": table.peers[0], "b": fresh(table)}, [("a", "b")])
    wires.run()
    assert wires.tables["b"].position.head == table.peers[0].position.head
    assert wires.kinds(Want) == 0


@pytest.mark.parametrize(("missing", "waits"), [(WINDOW, True), (WINDOW + 1, False)])
def test_what_the_other_side_pushes_is_waited_for_and_one_entry_more_is_asked_for_at_once(
    missing: int, waits: bool
) -> None:
    table = played()
    end = Exchange(fresh(table))
    end.opened("b", table.genesis.members[1].certificate.identity)
    held = Feed(table.keys[0].key.public, missing - 1, b"h" * 32)
    end.received("b", Have(table.genesis.table, table.keys[1].key.public, (held,)), 0.0)
    end.tick(PROMISE - 1)
    asked = [message.count for _link, message in end.outgoing() if isinstance(message, Want)]
    assert asked == ([] if waits else [WINDOW])


def test_a_long_log_is_pulled_in_windows() -> None:
    rounds = 40
    table = played(rounds)
    longest = max(len(table.peers[0].feeds.feed(author)) for author in table.peers[0].feeds.authors)
    assert longest > 3 * WINDOW
    wires = Wires(table, {"a": table.peers[0], "b": fresh(table, rounds)}, [("a", "b")])
    wires.run()
    assert wires.tables["b"].position.head == table.peers[0].position.head
    assert all(message.count <= WINDOW for _, _, message in wires.carried if isinstance(message, Want))
    assert wires.kinds(Want) >= 3 * 3


@pytest.mark.parametrize(("rounds", "entries"), gated([(84, 1_000), (420, 5_000)], 1))
def test_n82_thousands_of_entries_are_caught_up_over_a_queue_of_256(rounds: int, entries: int) -> None:
    table = DirectTable([[0], [1]], seed=2, rounds=rounds)
    table.start()
    table.play()
    assert len(table.log) >= entries
    late = Follower(table.genesis, TestMachine(2, rounds))
    ends = {"a": Exchange(table.peers[0]), "b": Exchange(late)}
    for here, there, number in (("a", "b", 1), ("b", "a", 0)):
        ends[here].opened(there, table.genesis.members[number].certificate.identity)
    longest, busy = 0, True
    while busy:
        sent = [(name, message) for name, end in ends.items() for _, message in end.outgoing()]
        busy, longest = bool(sent), max(longest, len(sent))
        for name, message in sent:
            ends["b" if name == "a" else "a"].received(name, message, 0.0)
        late.settled()
    assert late.position.head == table.peers[0].position.head
    assert late.position.over
    assert longest <= MAX_QUEUE // 8, "messages that wait in a queue at any time"


def test_peers_that_cannot_reach_each_other_get_everything_through_a_third() -> None:
    table = played()
    tables = {"a": table.peers[0], "b": fresh(table), "c": fresh(table)}
    wires = Wires(table, tables, [("a", "b"), ("b", "c")])
    wires.run()
    assert tables["c"].position.head == table.peers[0].position.head


def test_a_new_entry_is_pushed_on_and_never_back_to_where_it_came_from() -> None:
    table = played()
    tables = {"a": table.peers[0], "b": fresh(table), "c": fresh(table)}
    wires = Wires(table, tables, [("a", "b"), ("b", "c")])
    wires.run()
    wires.carried.clear()
    table.peers[0].effects()
    table.peers[0].chat("hello")
    for effect in table.peers[0].settled():
        if isinstance(effect, Keep):
            wires.ends["a"].spread(effect.entry)
    wires.run()
    pushed = [(one, other) for one, other, message in wires.carried if isinstance(message, Push)]
    assert pushed == [("a", "b"), ("b", "c")]
    assert list(tables["c"].texts.values())[-1][1] == "hello"


def test_a_lost_entry_is_repaired_by_the_next_round_of_haves() -> None:
    table = played()
    tables: dict[str, Follower] = {"a": table.peers[0], "b": fresh(table)}
    wires = Wires(table, tables, [("a", "b")])
    lost = wires.ends["a"].outgoing() + wires.ends["b"].outgoing()
    for link, message in lost:
        sender = "a" if link == "b" else "b"
        wires.ends[link].received(sender, message, wires.now)
    assert [message for _, message in wires.ends["a"].outgoing() if isinstance(message, Push)]
    wires.tick(PROMISE + 1)
    wires.tick(HAVE_EVERY + 1)
    wires.tick(PROMISE + 1)
    assert tables["b"].position.head == table.peers[0].position.head


def test_haves_are_said_again_half_as_often_each_time_while_nothing_happens() -> None:
    table = played()
    tables: dict[str, Follower] = {"a": table.peers[0], "b": table.peers[1]}
    wires = Wires(table, tables, [("a", "b")])
    wires.run()
    said = []
    for second in range(int(3 * SELDOM)):
        before = wires.kinds(Have)
        wires.tick(1)
        said += [second] if wires.kinds(Have) > before else []
    assert said == [0, 15, 45, 105, 225, 465, 705]
    assert table.peers[0].chat("hello") is None
    wires.tick(1)
    wires.carried.clear()
    wires.tick(HAVE_EVERY + 1)
    assert wires.kinds(Have) == 1


def test_a_promise_that_is_not_kept_is_asked_of_another_link() -> None:
    table = played()
    tables: dict[str, Follower] = {"a": table.peers[0], "b": fresh(table), "c": fresh(table)}
    wires = Wires(table, tables, [("b", "c")])
    wires.run()
    claims = tuple(Feed(keys.key.public, 10**6, bytes(32)) for keys in table.keys)
    wires.ends["b"].received("c", Have(table.genesis.table, None, claims), wires.now)
    assert wires.kinds(Want) == 0
    assert [m for _, m in wires.ends["b"].outgoing() if isinstance(m, Want)]
    wires.join("a", "b")
    wires.run()
    wires.tick(PROMISE + 1)
    wires.tick(HAVE_EVERY + 1)
    assert tables["b"].position.head == table.peers[0].position.head


def test_a_link_that_has_broken_a_promise_is_asked_after_one_that_has_not() -> None:
    table = played()
    end = Exchange(fresh(table))
    author = table.keys[0].key.public
    claim = Have(table.genesis.table, None, (Feed(author, 10**6, bytes(32)),))

    def asked() -> list[str]:
        return [link for link, message in end.outgoing() if isinstance(message, Want)]

    for number, link in enumerate(("broke it", "keeps silent", "kept all")):
        end.opened(link, table.genesis.members[number].certificate.identity)
    end.received("broke it", claim, 0.0)
    assert asked() == ["broke it"]
    end.tick(PROMISE + 1)
    for link in ("keeps silent", "broke it", "kept all"):
        end.received(link, claim, PROMISE + 2)
    assert asked() == ["keeps silent"]
    end.tick(2 * PROMISE + 3)
    assert asked() == ["kept all"]


def test_the_word_of_one_of_several_does_not_keep_somebody_in_reach_who_is_gone() -> None:
    table = DirectTable([[number] for number in range(5)])
    me, liar, honest, other, dead = (keys.key.public for keys in table.keys)
    end = Exchange(Follower(table.genesis, TestMachine(5, 1)))
    for one, links in zip(table.genesis.members[1:4], ((dead, me), (me,), (me,)), strict=True):
        writer = one.key
        end.opened(writer.hex(), one.certificate.identity)
        end.received(writer.hex(), Have(table.genesis.table, writer, (), links), 0.0)
    assert end.reached(liar)
    assert not end.reached(dead)
    end.received(honest.hex(), Have(table.genesis.table, honest, (), (dead, me)), 1.0)
    assert end.reached(dead)
    end.closed(other.hex())
    assert end.reached(dead)
    end.received(honest.hex(), Have(table.genesis.table, honest, (), (me,)), 2.0)
    assert not end.reached(dead), "of two links one is a liar's"
    end.closed(honest.hex())
    assert end.reached(dead), "it may be behind the only link that there is"


def test_an_entry_takes_no_detour_to_a_peer_linked_with_its_author_until_that_link_closes() -> None:
    table = played(1)
    tables: dict[str, Follower] = {"a": table.peers[0], "b": table.peers[1], "c": table.peers[2]}
    wires = Wires(table, tables, [("a", "b"), ("b", "c"), ("a", "c")])
    wires.run()
    wires.carried.clear()
    author = table.peers[0]
    assert author.chat("one") is None
    for effect in author.effects():
        if isinstance(effect, Keep):
            wires.ends["a"].spread(effect.entry)
    wires.run()
    assert sorted((one, other) for one, other, message in wires.carried if isinstance(message, Push)) == [
        ("a", "b"),
        ("a", "c"),
    ]
    for one, other in (("a", "c"), ("c", "a")):
        wires.ends[one].closed(other)
    assert author.chat("two") is None
    for effect in author.effects():
        if isinstance(effect, Keep):
            wires.ends["a"].spread(effect.entry)
    wires.run()
    assert tables["c"].feeds.have() == author.feeds.have()


class Liar:
    """The end of a link that says nothing, or a have of feeds that nobody holds each second."""

    def __init__(self, boast: Have | None) -> None:
        self._boast, self._due = boast, False

    def tick(self, _now: float) -> None:
        self._due = self._boast is not None

    def outgoing(self) -> list[tuple[str, TableMessage]]:
        due, self._due = self._due, False
        return [("a", self._boast)] if due and self._boast is not None else []

    def received(self, _name: str, _message: TableMessage, _now: float) -> Received:
        return Received()

    def settled(self) -> list[Effect]:
        return []


@pytest.mark.parametrize("boasts", [False, True])
def test_no_member_keeps_another_from_comparing_by_silence_or_by_feeds_that_nobody_holds(boasts: bool) -> None:
    """As long as something is missing, no histories that differ are told and no end is tried again."""
    table, told = played(), list[float]()
    late, author = fresh(table), table.keys[2].key.public
    wires = Wires(table, {"a": late, "b": table.peers[1]}, [("a", "b")])
    wires.run()
    strangers = (SigningKey.from_seed(bytes([number]) * 32).public for number in range(1, 5))
    feeds = tuple(Feed(each, 2**40, bytes(32)) for each in sorted((author, *strangers)))
    liar: Any = Liar(Have(table.genesis.table, author, feeds) if boasts else None)
    wires.ends["liar"] = wires.tables["liar"] = liar
    end = wires.ends["a"]
    end.opened("liar", table.genesis.members[2].certificate.identity)
    late.compared = lambda: told.append(wires.now)  # type: ignore[method-assign]
    end.compare()
    for _ in range(6 * int(PROMISE)):
        wires.tick(1.0)
    assert len(told) == 1
