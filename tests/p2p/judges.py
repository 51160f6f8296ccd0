"""Compares what our audit, the page and the second verifier find in a log; and tables whose logs they judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from agreement import Game, Judged, packed, repacked
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from resigned import altered
from second.verdict import Verdict

from p2p.lockstep.audit import Audit
from p2p.lockstep.ends import read_end
from p2p.lockstep.follower import Follower
from p2p.lockstep.step import STAGE
from p2p.testing.hostile import STRATEGIES, Vanished
from p2p.testing.hostile_draws import ANEW, CHEATS
from p2p.testing.hostile_silence import SILENCES
from p2p.testing.machine import TestMachine
from p2p.testing.plans import FaultPlan, random_plan
from p2p.testing.simulator import Simulation
from p2p.wire.codec import encode
from p2p.wire.entry import Entry

TRICKS = {**CHEATS, **SILENCES}


def game_of(table: Follower, key: Ed25519PrivateKey, rounds: int) -> Game:
    machine = TestMachine(table.genesis.seats, rounds)
    return Game(packed(table, key), machine)


def simulated(seed: int, plan: FaultPlan, strategies: dict[str, type]) -> Game:
    simulation = Simulation(seed, plan, strategies)
    simulation.run()
    peer = next(peer for peer in simulation.peers if peer.honest)
    return game_of(peer.lockstep, peer.keys.key.private, plan.rounds)


def honest(seed: int) -> Game:
    """A table on a bad network, with members who vanish, come back and take back."""
    return simulated(seed, random_plan(seed), {})


def hostile(seed: int) -> Game:
    """A table of which one member breaks the protocol, in one way or another by its number."""
    names = [*STRATEGIES, *TRICKS, *ANEW]
    name, members = names[seed % len(names)], 3 + seed % 3
    if name in ANEW:
        seats = tuple((number,) for number in range(5))
        return simulated(
            seed,
            FaultPlan(seats, rounds=2, draws="sealed", hostile={1: name, 4: "Vanished"}),
            dict(ANEW) | {"Vanished": Vanished},
        )
    sealed = "sealed" if name in TRICKS else "open"
    plan = FaultPlan(
        tuple((number,) for number in range(members)), rounds=2, delay=0.3, draws=sealed, hostile={1: name}
    )
    return simulated(seed, plan, dict(STRATEGIES) | TRICKS)


def damaged(game: Game, random: Random) -> Iterator[Game]:
    """The file with a bit flipped, a byte left out, one too many, cut short, or two of its parts exchanged."""
    star, game = game.star, game._replace(written=game.star)
    at, other = sorted(random.sample(range(len(star) - 1), 2))
    yield game._replace(star=star[:at] + bytes([star[at] ^ 1 << random.randrange(8)]) + star[at + 1 :])
    yield game._replace(star=star[:at] + star[at + 1 :])
    yield game._replace(star=star[:at] + bytes([random.randrange(256)]) + star[at:])
    yield game._replace(star=star[:other])
    yield game._replace(star=star[:at] + star[other:] + star[at:other])


def resigned(seed: int, count: int) -> list[Game]:
    """A table's log cut short, with last words that its own members signed afterwards, in so many ways."""
    random, plan = Random(seed), random_plan(seed)
    if seed % 3 == 2:
        hostile = {1: random.choice([*STRATEGIES, *TRICKS])}
        plan = FaultPlan(((0,), (1,), (2,)), rounds=1, delay=0.3, draws="sealed", hostile=hostile)
    simulation = Simulation(seed, plan, dict(STRATEGIES) | TRICKS)
    simulation.run()
    keys = {peer.me: peer.keys.key.private for peer in simulation.peers}
    peer = next(peer for peer in simulation.peers if peer.honest)
    table, machine = peer.lockstep, TestMachine(peer.lockstep.genesis.seats, plan.rounds)
    logs = (altered(table.feeds.entries, keys, random) for _ in range(count))
    return [repacked(log, table.texts, keys[peer.me], machine) for log in logs]


def disagreements(found: list[Judged]) -> list[str]:
    """Where one verdict is not the other: what is intact, which entry is wrong, and how."""
    told = []
    for number, (ours, faults, ledger, theirs, second) in enumerate(found):
        problem = theirs.get("problem") or {}
        same = theirs.get("ok") is (ours is None)
        if same and ledger is not None and ours is None:
            same = claims(ledger) == claims_there(theirs["shown"]) and ends(ledger, second) == {
                end_there(theirs["end"])
            }
            same = same and theirs["signed"] == min(second.signed_below, ledger.height)
        if same and ours is not None and faults:
            wrong = {entry for entry, code in faults if ours.startswith("file/") or code == problem["code"]}
            same = problem["entry"] in wrong
        if not same:
            told.append(f"{number}: ours {ours} {sorted(faults)}, theirs {theirs}"[:400])
        if not alike(found[number]):
            told.append(f"{number}: ours {ours} {sorted(faults)}, second {second.problems}"[:400])
    return told


RULES_ALONE = {"answer/illegal", "entry/other-state", "result/other-state", "result/other-points"}
"""What the rules alone find: which answer they refuse, and of two states or ends the one that is wrong."""


def alike(judged: Judged) -> bool:
    """True if the second verifier finds what we do, as far as the log tells it without the rules."""
    ours, faults, found, _theirs, second = judged
    unsure = set() if found is None else beyond_the_log(found, faults)
    named = {(entry, code) for entry, code in second.problems if entry is not None}
    by_log, there = (
        {each for each in some if each[1] not in RULES_ALONE and each[0] not in unsure} for some in (faults, named)
    )
    refused = "answer/illegal" in {code for _entry, code in faults}
    return by_log == there and (refused or second.intact is (ours is None))


def beyond_the_log(found: Audit, faults: frozenset[tuple[int, str]]) -> set[int]:
    """The numbers of the entries that a reader without the rules may judge otherwise: from the first height on at which
    the rules refuse an answer, or two states are named below the open height, it cannot know which entries fill the
    slots or how far a feed is read, and where a vote has ended a height, which state is judged (PROTOCOL.md, 13.3)."""
    assert found.table is not None
    log = {found.numbers[entry.id]: entry for entry in found.table.feeds.entries}
    wrong = [log[number].height for number, code in faults if code == "answer/illegal"]
    wrong += [log[n].height for n, code in faults if code == "entry/other-state" and log[n].height < found.height]
    reached, unsure = dict[bytes, int](), ended_apart(found, log)
    for number, entry in log.items() if wrong else ():
        if entry.kind in STAGE:
            reached[entry.author] = max(entry.height, reached.get(entry.author, 0))
        unread = entry.kind in STAGE and reached[entry.author] >= min(wrong)
        if unread or (entry.kind == "result" and read_end(entry) is not None):
            unsure.add(number)
    return unsure


def ended_apart(found: Audit, log: Mapping[int, Entry]) -> set[int]:
    """The numbers of the entries of heights that a vote has ended and at which two states are named."""
    ended = {pact.height for pact in found.pacts}
    here = [number for number, entry in log.items() if entry.kind in STAGE and entry.height in ended]
    states = {(log[number].height, log[number].state) for number in here}
    return {number for number in here if sum(height == log[number].height for height, _ in states) > 1}


def claims(found: Audit) -> tuple[Any, ...]:
    """What a log proves and does not, as far as the page judges it, and what take-backs have undone by rolls."""
    proven = [code for code in found.proves if code not in ("legal-answers", "result")]
    rolls = [[*each.said.value] for each in found.undone if each.by == "takeback" and each.said.what == "roll"]  # type: ignore[misc]
    return proven, [*found.does_not_prove], [[*size] for size in found.coalitions], rolls


def ends(found: Audit, second: Verdict) -> set[bytes]:
    """The ends that we and the second verifier give, encoded."""
    ours = found.end and [found.end.ending, [*map(_row, found.end.scores)], [*found.end.given_up]]
    return {encode(ours), encode(second.end)}


def end_there(end: Any) -> bytes:
    given_up = end and [*map(bytes.fromhex, end["given"])]
    return encode(end and [end["ending"], end["scores"], given_up])


def _row(score: Any) -> list[Any]:
    place, points, parts = score
    return [place, points, [[*part] for part in parts]]


def claims_there(shown: Any) -> tuple[Any, ...]:
    rolls = [[int(face) for face in each["value"].split()] for each in shown["undone"] if each["what"] == "roll"]
    return shown["proves"], shown["open"], shown["coalitions"], rolls
