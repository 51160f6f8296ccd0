"""Our audit, the checks in JavaScript that a page of a game brings along, and the second verifier, which was written
from PROTOCOL.md alone: all judge a log alike, or one of them is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import test_pact_freed
import test_pact_freezes
from agreement import NODE, Game, Judged, hints_of, judged_by_all, packed, repacked, told_items, told_of
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from faultcases import CASES, played
from resigned import altered, ending
from second.verdict import Verdict
from volume import GATE, VOLUME, pieces, seeds

from client.report.facts import BY_RULES
from p2p.lockstep.audit import Audit
from p2p.lockstep.follower import Follower
from p2p.log.starfile import pack_star
from p2p.testing.drifters import drifting_table
from p2p.testing.drifting import drifted, mended, repaired
from p2p.testing.hostile import STRATEGIES, Vanished
from p2p.testing.hostile_draws import ANEW, CHEATS
from p2p.testing.hostile_silence import SILENCES
from p2p.testing.hostile_voters import VOTERS
from p2p.testing.machine import TestMachine
from p2p.testing.plans import FaultPlan, random_plan
from p2p.testing.simulator import Simulation
from p2p.testing.tables import DirectTable
from p2p.wire.codec import encode
from p2p.wire.entry import make_entry

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
VECTORS = Path(__file__).with_name("protocol_vectors.json")
REFUSED = json.loads(VECTORS.read_text("utf-8"))["refused told"]
TRICKS = {**CHEATS, **SILENCES}
ALIKE = "logs judged alike by verify, the page's JavaScript and the second verifier"


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
        if not alike(ours, faults, second):
            told.append(f"{number}: ours {ours} {sorted(faults)}, second {second.problems}"[:400])
    return told


RULES_ALONE = {"answer/illegal", "entry/other-state", "result/other-state", "result/other-points"}
"""What the rules alone find: which answer they refuse, and of two states or ends the one that is wrong."""


def alike(ours: str | None, faults: frozenset[tuple[int, str]], second: Verdict) -> bool:
    """True if the second verifier finds what we do, as far as the log tells it without the rules."""
    named = {(entry, code) for entry, code in second.problems if entry is not None}
    by_log = {fault for fault in faults if fault[1] not in RULES_ALONE}
    if by_log != {fault for fault in named if fault[1] not in RULES_ALONE}:
        return False
    return second.intact is (ours is None) or "answer/illegal" in {code for _entry, code in faults}


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


def test_all_find_every_provable_fault_at_the_same_entry(tmp_path: Path) -> None:
    tables = [played(name)[0] for name in (list(CASES)[4::7] if VOLUME == GATE else CASES)]
    games = [game_of(table.peers[0], table.keys[0].key.private, 1) for table in tables]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert sum(each.ours is not None for each in found) >= len(tables) - 2  # a fork and a vote show beside the log
    refused = [each.theirs["problem"] for each in found if not each.theirs["ok"]]
    assert {problem["told"] for problem in refused} == {True, False}
    assert all(problem["code"] in BY_RULES for problem in refused if problem["told"])


def test_all_judge_a_table_that_read_on_where_its_engines_differed_alike(tmp_path: Path) -> None:
    games = []
    for seats, drifter, step in ((2, 0, 3), (3, 2, 5)):
        table, drift = drifted(seats, drifter, step, draws="sealed")
        mended(table, drift, drifter)
        repaired(table)
        table.play()
        games.append(game_of(table.peers[0], table.keys[0].key.private, 1))
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == [None, None]


def test_all_pass_over_states_that_differ_at_a_height_that_all_have_ended(tmp_path: Path) -> None:
    table, _drift = drifted(3, 2, 5)
    height = table.peers[0].position.height
    assert table.peers[0].propose("end", (), "agreed") is None
    table.settle()
    for peer in table.peers:
        for vote in peer.votes():
            assert peer.sign(vote.pact.id) is None
    table.settle()
    signed = {entry.state for entry, _ in table.log if (entry.height, entry.kind) == (height, "open")}
    assert len(signed) == 2
    found = judged_by_all([game_of(table.peers[0], table.keys[0].key.private, 1)], tmp_path)
    assert disagreements(found) == []
    assert found[0].ours == "result/other-state"  # that of the member whose program differs


def test_all_judge_alike_who_was_freed_from_a_vote_though_it_was_complete(tmp_path: Path) -> None:
    table, bound = test_pact_freed.bound_behind(told=True)
    test_pact_freed.freed(table)
    test_pact_freezes.returns(table, 1)
    table.play()
    test_pact_freezes.vote_on(table, "absent", test_pact_freezes.out(table, 1), (0, 2))
    table.play()
    games = [game_of(peer, keys.key.private, 2) for peer, keys in zip(table.peers, table.keys, strict=True)]
    members, hostile = ((0,), (1,), (2,), (3,)), {1: "Freer"}
    plans = [FaultPlan(members, rounds=2, delay=0.3, hostile=hostile) for _ in seeds(1)]
    games += [simulated(seed, plan, VOTERS) for seed, plan in enumerate(plans)]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found[:3]] == [None, None, None]
    assert all(peer.ballots.dead(bound, peer.position.past[bound.at].members) for peer in table.peers)


def test_all_count_the_votes_of_who_has_come_back_from_what_others_have_freed_from(tmp_path: Path) -> None:
    table, _ = test_pact_freed.gone_on_alone()
    test_pact_freezes.vote_on(table, "absent", test_pact_freezes.out(table, 0), (1, 2, 3, 4))
    table.play()
    games = [game_of(peer, keys.key.private, 1) for peer, keys in list(zip(table.peers, table.keys, strict=True))[1:]]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == [None] * 4
    assert all(peer.position.over for peer in table.peers[1:])


def test_all_judge_alike_a_vote_that_was_freed_by_what_others_freed_from(tmp_path: Path) -> None:
    table, bound = test_pact_freed.bound_behind(told=True)
    first, second, third = table.peers
    free = test_pact_freed.freeing(bound, test_pact_freezes.key(table, 1))
    other = test_pact_freed.freeing(free, test_pact_freezes.key(table, 2))
    for peer, pact in ((first, free), (first, other), (third, free), (second, other)):
        peer.signing.say("pact", pact.body())
        peer.advance()
    table.settle()
    test_pact_freezes.returns(table, 1)
    members = first.position.past[bound.at].members
    assert [peer.ballots.effective(bound.at, bound.head, members) for peer in table.peers] == [(bound,)] * 3
    found = judged_by_all([game_of(first, table.keys[0].key.private, 2)], tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == [None]
    assert [pact.id for height in first.position.past for pact in first.reading.effected(height)] == [bound.id]


def test_all_undo_a_forced_opening_when_its_author_comes_back_before_the_reveal_ends(tmp_path: Path) -> None:
    """What the others had opened of it counts for nothing, and who is back opens it itself."""
    found = judged_by_all([honest(503)], tmp_path)
    assert disagreements(found) == []
    assert {pact.kind for pact in found[0].found.pacts} == {"absent", "back"}  # type: ignore[union-attr]


@pytest.mark.soak
def test_all_judge_drifting_tables_alike(tmp_path: Path) -> None:
    games = []
    for seed in seeds(4, 300):
        table = drifting_table(seed)
        games.append(game_of(table.peers[0].lockstep, table.peers[0].keys.key.private, table.plan.rounds))
    assert disagreements(judged_by_all(games, tmp_path)) == []


@pytest.mark.soak
def test_all_judge_games_of_honest_and_hostile_tables_alike(tmp_path: Path) -> None:
    games = [honest(seed) for seed in seeds(4, 100)] + [hostile(seed) for seed in seeds(4, 40)]
    assert disagreements(judged_by_all(games, tmp_path)) == []


def test_all_judge_what_members_say_afterwards_alike(tmp_path: Path) -> None:
    """Votes, results, claims and words for heights of every form, true and false, said twice, too late or too early."""
    games = [game for seed in seeds(1, 1021) for game in resigned(seed, 6)]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert len({each.ours for each in found}) > 3


MISSHAPEN: list[tuple[str, Any]] = [
    *(("chat", body) for body in ([], [bytes(31)], [bytes(32), 0], None)),
    *(("clock", body) for body in ([], [0], [bytes(32), "answer"])),
    *(("fault", body) for body in (["entry/twice"], [bytes(32), "x" * 65, [bytes(32)]], [bytes(32), "x", []])),
    *(("fault", [bytes(32), "x", ids]) for ids in ([bytes(32)] * 3, [bytes(31)], bytes(32))),
    *(("join", []), ("join", 0)),
    *(("sign", [bytes(400)]), ("refuse", [bytes(32), "x" * 2048, []]), ("pact", ["x" * 4096])),
    *(("result", ["x" * 4096, [], []]), ("clock", [bytes(500)]), ("fault", [bytes(32), "x" * 1024, [bytes(32)]])),
    ("answer", [0, ["x" * 12_000]]),
]


def test_all_refuse_an_entry_of_a_size_or_form_that_nobody_keeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = DirectTable([[0], [1]])
    table.start()
    key, log = table.keys[1].key.private, [entry for entry, _ in table.log]
    last = max((entry for entry in log if entry.author == table.keys[1].key.public), key=lambda entry: entry.seq)
    place = {name: getattr(last, name) for name in ("table", "epoch", "height", "head", "state")}
    files = []
    with monkeypatch.context() as lax:
        lax.setattr("p2p.wire.entry.has_shape", lambda _kind, _body: True)
        lax.setattr("p2p.wire.entry.most_bytes", lambda _kind: 60_000)
        for kind, body in [("chat", [bytes(32)]), *MISSHAPEN]:
            entry = make_entry(key, **place, seq=last.seq + 1, prev=last.id, kind=kind, body=body)
            kept = [(each, table.peers[0].texts.get(each.id)) for each in (*log, entry)]
            position = table.peers[0].position
            files.append(pack_star(kept, key=key, height=position.height, head=position.head, program="test"))
    machine = TestMachine(2, 1)
    hints = hints_of(files[0], machine)
    found = judged_by_all([Game(star, machine, hints=hints) for star in files], tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == [None, *["file/entry"] * len(MISSHAPEN)]


def test_all_refuse_what_does_not_say_on_which_entries_it_rests(tmp_path: Path) -> None:
    """Also at a height that came to nothing, where what rests on entries that are not here is left alone."""
    seats = tuple((number,) for number in range(3))
    simulation = Simulation(4, FaultPlan(seats, rounds=1, draws="sealed"), {})
    simulation.run()
    keys = {peer.me: peer.keys.key.private for peer in simulation.peers}
    table, machine = simulation.peers[0].lockstep, TestMachine(len(seats), 1)
    log, games = list(table.feeds.entries), []
    for kind in ("shuffle", "share"):
        number = next(number for number, entry in enumerate(log) if entry.kind == kind)
        others = [1, log[number].body], [bytes(32), log[number].body], None
        logs = (ending(log, number, body, keys) for body in others)
        games += [repacked(each, {}, keys[log[number].author], machine) for each in logs]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == ["entry/basis", None, "entry/basis"] * 2


def test_all_find_what_is_false_beside_an_entry_that_waits(tmp_path: Path) -> None:
    """What rests on entries that are not here keeps its feed from being read, and no other one."""
    seats = tuple((number,) for number in range(3))
    simulation = Simulation(4, FaultPlan(seats, rounds=1, draws="sealed"), {})
    simulation.run()
    keys = {peer.me: peer.keys.key.private for peer in simulation.peers}
    log, machine = list(simulation.peers[0].lockstep.feeds.entries), TestMachine(3, 1)
    one = next(number for number, entry in enumerate(log) if entry.kind == "share")
    other = next(n for n in range(one + 1, len(log)) if log[n].kind == "share" and log[n].height == log[one].height)
    said: Any = log[other].body
    basis, (points, proof) = said
    false = [basis, [points, proof[:-32] + bytes(32)]]
    waiting = ending(log, one, [bytes(32), log[one].body[1]], keys)  # type: ignore[index]
    twice = ending([*waiting, replace(log[one], seq=log[one].seq + 1)], one + 1, log[one].body, keys)
    logs = [ending([*kept, log[other]], len(kept), false, keys) for kept in (waiting, twice)]
    games = [repacked(each, {}, keys[log[one].author], machine) for each in (*logs, twice)]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == ["deck/share-proof", "deck/share-proof", None]


def test_all_judge_an_entry_at_its_height_wherever_the_file_holds_it(tmp_path: Path) -> None:
    """Who saves a game chooses the order of its file. A false answer is none the better for standing behind all that
    its height waited for."""
    table = DirectTable([[0], [1], [2]], seed=9)
    table.start()
    table.play()
    keys = {one.key.public: one.key.private for one in table.keys}
    whole = [entry for entry, _ in table.log]
    answers = [number for number, entry in enumerate(whole) if entry.kind == "answer"]
    early, late = answers[-2], answers[-1]  # both at a height where all answer together
    assert whole[early].height == whole[late].height
    false = ending([*whole[: early + 1], replace(whole[early], seq=whole[early].seq + 1)], early + 1, [-2, [5]], keys)
    logs = [*false, whole[late]], [*whole[:early], *whole[early + 1 : late + 1], whole[early], false[-1]]
    games = [repacked(each, {}, table.keys[0].key.private, TestMachine(3, 1)) for each in logs]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == ["entry/not-asked"] * 2


def test_all_say_of_an_answer_for_somebody_else_whether_that_one_has_answered(tmp_path: Path) -> None:
    table = DirectTable([[0], [1], [2]], seed=9)
    table.start()
    table.play()
    keys = {one.key.public: one.key.private for one in table.keys}
    whole = [entry for entry, _ in table.log]
    early, late = [number for number, entry in enumerate(whole) if entry.kind == "answer"][-2:]
    games = []
    for said, false in ((early, late), (late, early)):
        seat, kept = whole[said].body[0], [*whole[:early], whole[said]]  # type: ignore[index]
        log = ending([*kept, whole[false]], len(kept), [seat, [5]], keys)
        games.append(repacked(log, {}, table.keys[0].key.private, TestMachine(3, 1)))
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert {each.ours for each in found} == {"entry/not-asked", "entry/not-yours"}


def test_all_leave_alone_what_stands_behind_a_part_of_a_lock_whose_turn_has_not_come(tmp_path: Path) -> None:
    seats = tuple((number,) for number in range(3))
    simulation = Simulation(4, FaultPlan(seats, rounds=1, draws="sealed"), {})
    simulation.run()
    keys = {peer.me: peer.keys.key.private for peer in simulation.peers}
    log = list(simulation.peers[0].lockstep.feeds.entries)
    number = next(number for number, entry in enumerate(log) if entry.kind == "partial")
    part = log[number]
    opens = {entry.author: entry for entry in log[:number] if (entry.kind, entry.height) == ("open", part.height)}
    mine, (missing, *_others) = opens.pop(part.author), opens.values()
    kept = [entry for entry in log[: number + 1] if entry.author != missing.author or entry.seq < missing.seq]
    again = ending([*kept, mine], len(kept), mine.body, keys)
    found = judged_by_all([repacked(again, {}, keys[part.author], TestMachine(3, 1))], tmp_path)
    assert disagreements(found) == []
    assert found[0].ours is None


def test_all_refuse_each_file_of_the_vectors_by_the_same_code(tmp_path: Path) -> None:
    refused = json.loads(VECTORS.read_text("utf-8"))["star"]["refused"]
    cases = [case for case in refused if case["code"] != "file/content"]  # of which the page is told where it reads on
    nothing = {"told": "", "refused": {}}
    games = [Game(bytes.fromhex(case["star"]), TestMachine(2, 1), hints=nothing) for case in cases]
    found = judged_by_all(games, tmp_path)
    assert [each.ours for each in found] == [case["code"] for case in cases]
    assert [each.theirs["problem"]["code"] for each in found] == [case["code"] for case in cases]


def test_all_refuse_damaged_files_at_the_same_place(tmp_path: Path) -> None:
    random = Random(7)
    game = honest(3)
    games = [one for _ in seeds(8) for one in damaged(game, random)]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert all(each.ours is not None for each in found)


def with_row(hints: dict[str, Any], height: int, row: list[Any] | None) -> dict[str, Any]:
    """The hints with something else told of a height, or nothing."""
    items = [(row if each[0] == height else each) for each in told_items(hints["told"])]
    return hints | {"told": told_of([each for each in items if each is not None])}


def false_hints(hints: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is told beside the log, with one thing left out or exchanged for another, for each kind of height."""
    rows = {row[1][0]: row for row in told_items(hints["told"])[1:]}
    for height, asked, *rest in rows.values():
        yield with_row(hints, height, None)
        others: list[Any] = [
            ["choose", [0]],
            ["roll", "dice", [6]],
            ["over"],
            [asked[0]],
            [*asked, 0],
            [*asked[:-1], []],
        ]
        yield from (with_row(hints, height, [height, other, *rest]) for other in [*others, *REFUSED] if other != asked)
        if len(rest) == 2:
            ended, outcome = rest
            yield with_row(hints, height, [height, asked, not ended, outcome])
            for other in ([["result", 0]], [["roll", "dice", [6]], *outcome], outcome[:-1]):
                if other != outcome:
                    yield with_row(hints, height, [height, asked, ended, other])


def test_what_is_told_beside_the_log_hides_nothing(tmp_path: Path) -> None:
    """Each height is what its members signed, whatever is told: no proof goes unchecked because of a false word."""
    seats = tuple((number,) for number in range(3))
    game = simulated(4, FaultPlan(seats, rounds=2, draws="sealed"), {})
    told = hints_of(game.star, game.machine)
    false = [game._replace(hints=hints) for hints in false_hints(told)]
    assert len(false) > 100
    false = false if VOLUME > GATE else Random(1).sample(false, 6)
    whole, *found = judged_by_all([game, *false], tmp_path)
    assert whole.theirs["ok"]
    assert [number for number, each in enumerate(found) if each.theirs.get("ok", False) or each.second.intact] == []
    assert [each.theirs["crashed"] for each in found if "crashed" in each.theirs] == []


@pytest.mark.parametrize("name", ["refused told", "refused outcome"])
def test_what_is_told_in_another_form_is_refused_by_name(name: str, tmp_path: Path) -> None:
    game = simulated(4, FaultPlan(((0,), (1,)), rounds=1), {})
    told = hints_of(game.star, game.machine)
    rows, recorded = told_items(told["told"])[1:-1], json.loads(VECTORS.read_text("utf-8"))
    wrong = [[rows[1][0], said, *rows[1][2:]] for said in recorded["refused told"]]
    if name == "refused outcome":
        wrong = [[*rows[1][:3], said] for said in recorded["refused outcome"]]
    found = judged_by_all([game._replace(hints=with_row(told, row[0], row)) for row in wrong], tmp_path)
    assert len(found) >= 5
    assert {each.theirs["problem"]["code"] for each in found} == {"told/form"}
    assert not [each.second.problems for each in found if each.second.intact]


def lies(hints: dict[str, Any], height: int) -> Iterator[dict[str, Any]]:
    """What else could be told of what was asked at a height."""
    row = next(row for row in told_items(hints["told"]) if row[0] == height)
    handles = next((part for part in row[1][1:] if isinstance(part, list)), [])
    for seat, some in enumerate(([], handles[:1], handles)):
        said: list[Any] = [["roll", "x", [6]], ["deal", seat, "bag", some], ["show", seat, some], ["reveal", "x", some]]
        said += [["shuffle", "x", "bag", some, some], ["seal", [seat][: len(some)], some[:1], bool(seat % 2)]]
        said += [["prepare"], ["keys"], ["anew", "bag"], ["choose", [seat]], ["over"]]
        yield from (with_row(hints, height, [height, asked, *row[2:]]) for asked in said if asked != row[1])


LIED_ABOUT = ("shuffle", "share", "remask", "opening", "partial", "seal", "reveal", "anew")


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name in CASES if any(word in name for word in LIED_ABOUT)])
def test_no_word_about_what_was_asked_hides_a_fault(name: str, tmp_path: Path) -> None:
    """Also at a height that came to nothing, of which no running hash tells what it was about."""
    table, _culprit = CASES[name][0]()
    game = game_of(table.peers[0], table.keys[0].key.private, 1)
    told = hints_of(game.star, game.machine)
    (whole,) = judged_by_all([game], tmp_path)
    height = whole.theirs["problem"]["height"]
    found = judged_by_all([game._replace(hints=hints) for hints in lies(told, height)], tmp_path)
    assert [number for number, each in enumerate(found) if each.theirs.get("ok", False) or each.second.intact] == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(20, 2000))
def test_all_judge_a_thousand_logs_alike_that_their_members_changed(
    seed: int, tmp_path: Path, tally: Callable[[str, int], None]
) -> None:
    games = resigned(seed, 25)
    assert disagreements(judged_by_all(games, tmp_path)) == []
    tally(f"{ALIKE}, changed by their members", len(games))


@pytest.mark.soak
@pytest.mark.parametrize("numbers", pieces(60, 6), ids=lambda numbers: str(numbers.start))
def test_all_agree_on_two_hundred_logs_whole_and_altered(
    numbers: range, tmp_path: Path, tally: Callable[[str, int], None]
) -> None:
    games = [honest(300 + number) for number in numbers] + [hostile(number) for number in numbers]
    games += [one for game in games[::6] for one in damaged(game, Random(numbers.start))]
    assert disagreements(judged_by_all(games, tmp_path)) == []
    tally(f"{ALIKE}, whole and damaged", len(games))
