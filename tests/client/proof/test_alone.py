"""Going on alone: a new table of one member that names the old one, uses no hand of the others and claims nothing."""

from __future__ import annotations

import html
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import recorded
from agreement import NODE, Game, judged_by_all
from line_room import Room
from screen_game import Solo, choose_vote
from seat0 import Seat0
from volume import gated

from client.commands import cli
from client.fronts.web.actions import perform
from client.fronts.web.fragments import table as fragments
from client.proof.alone import Alone, goes_on
from client.proof.audit import SavedGame, machine_of
from client.proof.audit_report import log_fields, log_text
from client.proof.recording import Recording
from client.proof.walk import walk_of
from client.report.eyes import read_by
from client.session.view import view_of
from client.show.styled import plain
from client.system.errors import UserError
from client.table.beginning import new_machine, read_beginning
from client.table.machine import GameMachine
from client.table.result import star_bytes
from client.words.machines import origin_text
from client.words.pacts import alone_text
from engine.core.registry import game
from engine.core.values import Handle
from p2p.identity.keys import SigningKey
from p2p.lockstep.audit import audit
from p2p.lockstep.genesis import Genesis, Origin
from p2p.lockstep.machine import TableRefusal
from p2p.log.starfile import read_star
from p2p.testing.tables import member
from p2p.wire.codec import WireError, decode, encode
from p2p.wire.content import content_name
from seeds.hashing import H

GAMES = (("eclipse2", 2), ("eclipse1", 2), ("rex", 3), ("emperor", 3))


@cache
def played(name: str, seats: int, steps: int, draws: str = "sealed") -> recorded.GameTable:
    """A table of as many members that stops after so many answers. Not to be changed."""
    spec = game(name)
    options = {"draws": draws} if any(option.name == "draws" for option in spec.options) else {}
    table = recorded.GameTable([[seat] for seat in range(seats)], spec=spec, options=options)
    table.start()
    for _ in range(steps):
        table.step()
    return table


def recording_of(table: recorded.GameTable, number: int) -> Recording:
    """The game as the home of a member has it."""
    walk = walk_of(SavedGame(tuple(entry for entry, _ in table.log), {}), "game", lambda *_: None)
    kept: Any = SimpleNamespace(keys=table.keys[number], entries=table.log, content=b"")
    return Recording(walk, read_by(walk, kept))


def alone_from(table: recorded.GameTable, number: int = 0) -> Alone:
    identity = SigningKey.from_seed(H("test identity", 1, number))
    return goes_on(recording_of(table, number), identity, table.keys[number].key.public, "greedy", b"")


class AloneTable(recorded.GameTable):
    """The new table, at which all seats answer at random."""

    def __init__(self, spec: str, alone: Alone) -> None:
        self.spec = game(spec)
        machine = new_machine(alone.genesis, alone.content)
        assert isinstance(machine, GameMachine)
        super(recorded.GameTable, self).__init__([[0]], machine=machine)
        self.genesis, self.keys = alone.genesis, [alone.keys]
        self.peers = [member(alone.genesis, alone.keys, machine)]


PLAYED = (("eclipse2", 2, 7), *((name, seats, steps) for steps in (0, 40, 90) for name, seats in GAMES))


@pytest.mark.parametrize(("name", "seats", "steps"), gated(PLAYED, 1))
def test_who_goes_on_alone_plays_from_the_same_position_to_an_end_that_anybody_can_verify(
    name: str, seats: int, steps: int
) -> None:
    old = played(name, seats, steps)
    alone = alone_from(old)
    assert Genesis.read(decode(encode(alone.genesis.body()))) == alone.genesis
    table = AloneTable(name, alone)
    begun, stood = table.peers[0].machine, old.peers[0].machine
    assert isinstance(begun, GameMachine)
    assert isinstance(stood, GameMachine)
    assert begun.match.digest() == stood.match.digest()
    table.start()
    table.play()
    assert table.peers[0].position.over
    star = read_star(star_bytes(table.peers[0], alone.keys.key, {}))
    found = audit(star.entries, lambda genesis: machine_of(genesis, star.content))
    assert found.ok, found.problems
    assert found.complete
    assert not {"dice-committed", "dice-unchosen", "cards-proven", "cards-secret", "choices-fixed"} & {*found.proves}
    assert {"one-member", "goes-on-alone"} <= {*found.does_not_prove}
    origin = old.peers[0].position
    told = " ".join(log_text(SavedGame(star.entries, {}, content=star.content), found).split())
    assert f"goes on from table {old.genesis.table.hex()[:16]} at step {origin.height}, alone" in told
    assert log_fields(SavedGame(star.entries, {}, content=star.content), found)["origin"] == {
        "table": old.genesis.table.hex(),
        "height": origin.height,
        "head": origin.head.hex(),
    }


@pytest.mark.parametrize("draws", gated(["open", "sealed"], 1))
def test_own_cards_stay_and_hands_of_others_are_drawn_anew_even_where_a_program_could_read_them(draws: str) -> None:
    old = played("rex", 3, 40, draws)
    told = list[dict[tuple[str, int], Any]]()
    for _ in range(6):
        origin = alone_from(old).genesis.origin
        assert origin is not None
        told.append(dict(origin.cards))
    hands = [{tuple(handle): face for look in peer.position.chance.looks for handle, face in look.cards
              if look.seat == seat} for seat, peer in enumerate(old.peers)]  # fmt: skip
    mine = [handle for handle in hands[0] if handle in told[0]]
    theirs = [handle for hand in hands[1:] for handle in hand if handle in told[0] and handle not in hands[0]]
    opened = recording_of(old, 0).cards.shown
    hidden = [handle for handle in theirs if Handle(*handle) not in opened]
    assert mine
    assert hidden
    assert all(cards[handle] == hands[0][handle] for cards in told for handle in mine)
    assert any(len({str(cards[handle]) for cards in told}) > 1 for handle in hidden)


def test_a_word_on_the_old_table_counts_for_nothing_at_the_new_one_and_the_other_way_round() -> None:
    old = played("eclipse2", 2, 7)
    alone = alone_from(old)
    assert alone.genesis.table != old.genesis.table
    assert alone.keys.key.public not in [each.key.public for each in old.keys]
    table = AloneTable("eclipse2", alone)
    table.start()
    table.step()
    new = [entry for entry, _ in table.log]
    judge = walk_of(SavedGame(tuple(entry for entry, _ in old.log), {}), "game", lambda *_: None).table
    head = judge.position.head
    assert not any(judge.welcome(entry) for entry in new)
    assert (judge.position.head, judge.faults) == (head, {})
    again = table.peers[0]
    assert not any(again.welcome(entry) for entry, _ in old.log)
    assert again.faults == {}


def test_what_is_not_as_the_genesis_says_begins_no_table() -> None:
    old = played("eclipse2", 2, 7)
    alone, other = alone_from(old), alone_from(played("eclipse2", 2, 0))
    body: Any = dict(alone.genesis.body())  # type: ignore[arg-type]
    origin: Any = alone.genesis.origin
    assert new_machine(alone.genesis, other.content) == TableRefusal("rules/position")
    assert new_machine(alone.genesis, b"") == TableRefusal("rules/position")
    named = replace(origin, begins=content_name(other.content))
    assert new_machine(replace(alone.genesis, origin=named), other.content) == TableRefusal("rules/position")
    assert new_machine(replace(alone.genesis, origin=None), alone.content) == TableRefusal("rules/position")
    assert read_beginning(b"\x00" * 9) is None
    with pytest.raises(UserError, match="The position from which this table goes on is missing, damaged or impossible"):
        machine_of(alone.genesis, other.content)
    two = [*body["members"], *(each.record() for each in old.genesis.members)]
    spoilt: list[dict[str, Any]] = [
        {"options": {**body["options"], "draws": "sealed"}},
        {"position": None},
        {"origin": origin.fields()[:-1]},
        {"origin": [*origin.fields()[:4], [*origin.fields()[4], origin.fields()[4][0]], []]},
        {"origin": [*origin.fields()[:5], [[0, "no deck", 1]]]},
        {"origin": [b"short", *origin.fields()[1:]]},
        {"members": two},
    ]
    for change in spoilt:
        with pytest.raises(WireError):
            Genesis.read({**body, **change})
    assert Origin.read(origin.fields()) == origin


def test_nobody_goes_on_alone_from_a_table_that_is_over_or_not_their_own() -> None:
    finished = recorded.finished()
    identity = SigningKey.from_seed(H("test identity", 1, 0))
    with pytest.raises(UserError):
        goes_on(recording_of(finished, 0), identity, finished.keys[0].key.public, "greedy", b"")
    with pytest.raises(UserError):
        goes_on(recording_of(played("eclipse2", 2, 7), 0), identity, bytes(32), "greedy", b"")


def test_the_list_of_tables_and_every_screen_say_from_which_table_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = alone_from(played("eclipse2", 2, 7))
    table, origin = AloneTable("eclipse2", alone), origin_of(alone)
    table.start()
    (tmp_path / "alone.star").write_bytes(star_bytes(table.peers[0], alone.keys.key, {}))
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path / "home"))
    assert cli.main(["import", str(tmp_path / "alone.star")]) == 0
    capsys.readouterr()
    assert cli.main(["tables"]) == 0
    listed = f"goes on from {origin.table.hex()[:8]} at step {origin.height}, alone"
    assert listed in " ".join(capsys.readouterr().out.split())
    said = origin_text(alone.genesis)
    assert f"table {origin.table.hex()[:16]} at step {origin.height}, alone" in said
    room = Room()
    room.genesis = alone.genesis
    assert said in " ".join(room.type("table").split())
    seat, full = Seat0("eclipse2", 2), Solo("eclipse2")
    for each in (seat, full.controls):
        each.genesis = alone.genesis
    seat.go()
    assert said in view_of(seat.session).machines
    assert said in html.unescape(str(fragments.table(view_of(seat.session), seat.session)))
    full.front.doing.page("table")
    shown = "\n".join(plain(line) for line in full.front.draw(100, 32).lines)
    assert said in " ".join(shown.replace("│", " ").split())


def test_a_table_that_goes_on_from_none_says_nothing_of_it() -> None:
    assert origin_text(recorded.finished().genesis) == ""


@pytest.mark.skipif(NODE is None, reason="the page's checks run under node")
def test_the_page_judges_such_a_table_like_verify_also_where_laid_cards_are_opened(tmp_path: Path) -> None:
    games, opened = list[Game](), set[tuple[str, int]]()
    for name, seats, steps in (("eclipse2", 2, 7), ("rex", 3, 40)):
        alone = alone_from(played(name, seats, steps, "open"))
        table = AloneTable(name, alone)
        table.start()
        table.play()
        machine = new_machine(alone.genesis, alone.content)
        assert isinstance(machine, GameMachine)
        games.append(Game(star_bytes(table.peers[0], alone.keys.key, {}), machine))
        asked = table.peers[0].position.asked.values()
        shown = {handle for pending in asked if pending.kind == "reveal" for handle in pending.handles}
        opened |= shown & {handle for handle, _face in origin_of(alone).cards}
    assert opened
    for judged in judged_by_all(games, tmp_path):
        assert judged.ours is None
        assert judged.theirs["ok"], judged.theirs
        assert judged.second.intact, judged.second.problems


def origin_of(alone: Alone) -> Origin:
    """Where a table comes from."""
    assert alone.genesis.origin is not None
    return alone.genesis.origin


def test_line_mode_says_first_what_going_on_alone_does_and_is_done_by_a_second_word() -> None:
    room = Room()
    assert alone_text() in " ".join(room.type("alone").split())
    assert room.went == []
    room.type("alone yes")
    assert room.went == [("--linear",)]
    room = Room()
    room.alone = None
    assert "possible only for who plays" in room.type("alone yes")


def test_the_full_screen_asks_on_a_page_that_says_what_going_on_alone_does() -> None:
    table, went = Solo("eclipse2"), list[Any]()
    table.controls.alone = went.append
    for key, done in (("1", []), ("2", [()])):
        choose_vote(table.front, "Go on alone …")
        drawn = "\n".join(plain(line) for line in table.front.draw(100, 32).lines)
        assert alone_text() in " ".join(drawn.replace("│", " ").split())
        table.front.press(key)
        assert went == done


def test_the_page_says_what_going_on_alone_does_before_its_button_does_it() -> None:
    seat = Seat0("eclipse2", 2)
    seat.go()
    drawn = str(fragments.table(view_of(seat.session), seat.session))
    assert alone_text() in drawn
    click = {"act": "alone", "sure": True, "html": True}
    assert perform(seat.session, click)["ok"] is False
    went = list[Any]()
    seat.alone = went.append
    assert perform(seat.session, click) == {"ok": True}
    assert went == [("--web",)]
