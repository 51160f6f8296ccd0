"""All judges agree on single entries: their form and place, what they rest on, and what stands beside them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agreement import NODE, Game, hints_of, judged_by_all, repacked
from faultcases import CASES
from judges import disagreements
from resigned import ending, say

from p2p.log.starfile import pack_star
from p2p.testing.cheats import changed, vanished_bidder
from p2p.testing.machine import TestMachine
from p2p.testing.plans import FaultPlan
from p2p.testing.simulator import Simulation
from p2p.testing.tables import DirectTable
from p2p.wire.entry import make_entry

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")


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


def test_all_refuse_an_opening_whose_nonce_has_another_length(tmp_path: Path) -> None:
    """Ours said that it did not fit its commitment, so that the choice stayed closed and the game went on."""
    table = DirectTable([[0], [1]])
    table.start()
    table.play()
    keys = {one.key.public: one.key.private for one in table.keys}
    whole = [entry for entry, _ in table.log]
    number = next(number for number, entry in enumerate(whole) if entry.kind == "reveal")
    said: Any = whole[number].body
    ((deck, index, value, nonce),) = said
    logs = [ending(whole, number, [[deck, index, value, other]], keys) for other in (nonce[:-1], nonce[:-1] + b"x")]
    found = judged_by_all([repacked(log, {}, table.keys[0].key.private, TestMachine(2, 1)) for log in logs], tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == ["seal/form", "seal/opening-mismatch"]


def test_the_second_verifier_is_compared_up_to_what_the_rules_alone_can_judge(tmp_path: Path) -> None:
    """It takes an answer that the rules refuse for one that fills its slot, and does not know behind that what is said
    twice; of two states below the open height it does not know the wrong one, and judges what names either."""
    table, _ = CASES["illegal answer"][0]()
    table.agree("absent", [2])
    table.play()
    log = table.log_at(0)
    late = next(entry for entry in reversed(log) if entry.kind == "open")
    other = DirectTable([[0], [1]])
    other.start()
    whole = [entry for entry, _ in other.log]
    first, last = [number for number, entry in enumerate(whole) if entry.kind == "commit"]
    apart = replace(whole[first], seq=whole[first].seq + 1, state=bytes(16))
    keys = {one.key.public: one.key.private for one in (*table.keys, *other.keys)}
    logs = [ending([*log, late], len(log), [], keys), ending([*whole[: last + 1], apart], last + 1, [], keys)]
    machines = TestMachine(4, 1), TestMachine(2, 1)
    games = [repacked(each, {}, table.keys[0].key.private, fresh) for each, fresh in zip(logs, machines, strict=True)]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [{code for _entry, code in each.faults} for each in found] == [
        {"answer/illegal", "entry/twice"},
        {"entry/other-state"},
    ]
    named = [{code for entry, code in each.second.problems if entry is not None} for each in found]
    assert named == [set(), {"entry/other-state", "entry/not-asked"}]


def test_all_let_a_part_of_a_key_be_said_again_where_it_is_needed_no_more_and_find_a_false_one(tmp_path: Path) -> None:
    """Whose program differed says it once more under another state. Ours convicted it of a second one, and the page
    passed over what is false of secret choices."""
    rolls, choices = DirectTable([[0], [1], [2]], rounds=2), vanished_bidder(rounds=2)
    rolls.start()
    rolls.play()
    games = []
    for table, form, path, others in ((rolls, int, (1,), 2), (choices, list, (0, 2), 1)):
        keys, log = {one.key.public: one.key.private for one in table.keys}, list(table.peers[0].feeds.entries)
        parts = [(entry, entry.body) for entry in log if entry.kind == "partial" and isinstance(entry.body, list)]
        part, said = [(entry, said) for entry, said in parts if isinstance(said[0], form)][-1 if form is list else 0]
        beyond = (
            n for n, e in enumerate(log) if (e.author, e.kind) == (part.author, "open") and e.height > part.height
        )
        kept = log[: next(beyond) + 1]
        again = replace(part, seq=part.seq + 1, state=bytes(16))
        bodies = [said, changed(said, path, -20), [*said[:-1], None]][: others + 1]
        logs = [ending([*kept, again], len(kept), body, keys) for body in bodies]
        games += [repacked(each, {}, keys[part.author], TestMachine(len(keys), 2)) for each in logs]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == [None, "lock/proof", "lock/form", None, "seal/proof"]


def test_all_ask_whether_an_entry_was_owed_before_what_it_rests_on(tmp_path: Path) -> None:
    """Who looks at a card gives no share of it, in whatever form; a share of a card that is yet to be masked waits."""
    table = DirectTable([[0], [1], [2]], options={"draws": "sealed"})
    table.start()
    table.play()
    keys = {one.key.public: one.key.private for one in table.keys}
    log = [entry for entry, _ in table.log]
    deals = [entry for entry in log if entry.kind == "share"]
    shared = {height: {e.author for e in deals if e.height == height} for height in (entry.height for entry in deals)}
    height, (reader,) = next((at, keys.keys() - authors) for at, authors in shared.items() if len(authors) == 2)
    first = next(number for number, entry in enumerate(log) if (entry.height, entry.kind) == (height, "share"))
    games = []
    for body in (["no"], [bytes(32), log[first].body[1]]):  # type: ignore[index]
        kept = [*log[: first + 1], replace(log[first], author=reader)]
        games.append(repacked(ending(kept, first + 1, body, keys), {}, keys[reader], TestMachine(3, 1)))
    mask = next(entry for entry in log if entry.kind == "remask")
    shares = (n for n, each in enumerate(log) if (each.kind, each.height) == ("share", mask.height))
    last = next(number for number in shares if log[number].author != mask.author)
    unmasked = [entry for entry in log[: last + 1] if entry.author != mask.author or entry.seq < mask.seq]
    games.append(repacked(unmasked, {}, keys[reader], TestMachine(3, 1)))
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == ["entry/not-asked", "entry/not-asked", None]


@pytest.mark.parametrize(("late", "first"), [("ok", "keys"), ("partial", "open"), ("share", "remask")])
def test_all_read_no_feed_beyond_what_waits_for_a_word_that_its_author_says_only_behind_it(
    late: str, first: str, tmp_path: Path
) -> None:
    table = DirectTable([[0], [1], [2]], options={"draws": "sealed"})
    table.start()
    table.play()
    keys, entries = {one.key.public: one.key.private for one in table.keys}, [entry for entry, _ in table.log]
    lates = {(entry.author, entry.height) for entry in entries if entry.kind == late}
    both = (n for n, each in enumerate(entries) if each.kind == first and (each.author, each.height) in lates)
    number = next(both)
    here = [entry for entry in entries if entry.height == entries[number].height]
    author = entries[number].author
    log = entries[:number]
    for kind in (late, first, late, first):
        say(log, next(entry for entry in here if (entry.author, entry.kind) == (author, kind)), keys[author])
    for entry in here:
        if entry.author != author:
            say(log, entry, keys[entry.author])
    found = judged_by_all([repacked(log, {}, table.keys[0].key.private, TestMachine(3, 1))], tmp_path)
    assert disagreements(found) == []
    assert found[0].ours is None
