"""Real peers over loopback: they sit down, play, die, come back and finish; and what stands in the way is said."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest
from peers import Starlock, guest, host, resume, ticket
from small import Game
from volume import gated

from client.commands import cli
from p2p.log.starfile import read_star

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", gated(["toy", "eclipse2"], 1))
def test_two_peers_play_a_whole_game_and_agree_on_all_of_it_and_a_spectator_follows_to_the_end(
    tmp_path: Path, name: str
) -> None:
    star, watched, game = tmp_path / "game.star", tmp_path / "watched.star", Game(tmp_path, name=name)
    game.go_on()
    with ExitStack() as ends:
        ann = ends.enter_context(game.host("--local", "--save", str(star)))
        wat = ends.enter_context(game.command("wat", "watch", ticket(ann), "--local", "--json", "--save", str(watched)))
        wat.until(lambda: wat.events("link/up"))  # it watches from the lobby on
        bob = ends.enter_context(game.guest(ann, "Bob", "--local"))
        assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors
        assert wat.end() == 0, wat.errors
        assert wat.answer["digest"] == ann.answer["digest"]
        for field in ("digest", "digests", "scores", "table", "entries", "rolls", "decisions", "names"):
            assert ann.answer[field] == bob.answer[field]
        assert ann.answer["ok"]
        assert len(ann.answer["digests"]) == 2
        assert ann.answer["names"] == ["Ann (bot)", "Bob (bot)"]
    played, followed = read_star(star.read_bytes()), read_star(watched.read_bytes())
    members = {entry.author for entry in played.entries}
    assert played.exporter in members, "a player signs the file with the key of the table"
    assert followed.exporter not in members, "a spectator has none and signs with its identity"
    exported = star.read_bytes() + b"".join(entry.raw for entry in played.entries)
    for address in (b"127.0.0.1", b"tcp:", str(ann.events("peer/listening")[0]["port"]).encode()):
        assert address not in exported
    with game.command("eve", "verify", str(star), "--json") as verified:
        assert verified.end() == 0
        assert verified.answer["complete"]
    with game.resume("ann") as again:
        assert again.end() == 0
        assert again.answer["digest"] == ann.answer["digest"]
    with game.command("bob", "tables", "--json") as tables:
        assert tables.end() == 0
        (row,) = tables.answer["tables"]
        assert (row["id"], row["game"], row["state"]) == (ann.answer["table"], name, "finished")


BOTH = ("ann", "bob")


@pytest.mark.parametrize(
    ("name", "kills"),
    [
        pytest.param("toy", {12: ("bob",), 25: BOTH}, id="each and both"),
        *(
            pytest.param("eclipse2", kills, id=id, marks=pytest.mark.soak)
            for id, kills in {
                "each and both in a long game": {12: ("bob",), 25: BOTH},
                "each twice": {0: ("ann",), 12: ("bob",), 25: BOTH, 40: ("ann",)},
                "the host": dict.fromkeys((0, 12, 40), ("ann",)),
                "the guest": dict.fromkeys((0, 12, 40), ("bob",)),
                "both": dict.fromkeys(range(0, 50, 5), BOTH),
            }.items()
        ),
    ],
)
def test_peers_killed_again_and_again_come_back_and_finish_the_game(
    tmp_path: Path, name: str, kills: dict[int, tuple[str, ...]]
) -> None:
    """kills: which peers are killed when they have seen these heights."""
    game = Game(tmp_path, height=max(kills) + 1, name=name)
    ann = game.host("--local")
    peers = {"ann": ann, "bob": game.guest(ann, "Bob", "--local")}
    with ExitStack() as ends:
        for peer in BOTH:
            ends.callback(lambda peer: peers[peer].kill(), peer)
        for height, victims in kills.items():
            for victim in victims:
                peers[victim].reaches(height)
                peers[victim].kill()
            peers |= {victim: game.resume(victim) for victim in victims}
        ann, bob = peers["ann"], peers["bob"]
        game.go_on()
        assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors
        assert ann.answer["digest"] == bob.answer["digest"]
        assert ann.answer["entries"] == bob.answer["entries"]


@pytest.mark.soak  # test_bad_input.py and test_store.py hold the refusal
def test_a_second_process_in_one_home_is_refused_and_harms_nothing(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann:
        ticket(ann)
        with resume(tmp_path / "ann") as second:
            assert second.end() == 2
            error = second.answer["error"]
            assert error["code"] == "store/locked"
            assert str(ann.process.pid) in error["message"]
        with Starlock(tmp_path / "ann", "tables", "--json") as tables:
            assert tables.end() == 0
        with guest(tmp_path / "bob", ticket(ann), "Bob") as bob:
            assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with host(tmp_path / "ann", "--port", port) as ann:
            assert ann.end() == 2
            assert ann.answer["error"]["code"] == "listen/port-in-use"
            assert port in ann.answer["error"]["message"]


@pytest.mark.soak
def test_a_ticket_with_a_typo_or_of_nobody_is_refused(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann:
        good = ticket(ann)
    wrong = good[:-3] + ("a" if good[-3] != "a" else "b") + good[-2:]
    for text, code in ((wrong, "ticket/typo"), (good[:-1] + "1", "ticket/letter"), ("hello", "ticket/prefix")):
        with guest(tmp_path / "bob", text, "Bob") as bob:
            assert bob.end() == 2
            assert bob.answer["error"]["code"] == code
    with guest(tmp_path / "bob", good, "Bob") as bob:
        assert bob.end() == 2
        assert bob.answer["error"]["code"] == "link/unreachable"


NEWER_RULES = """
import dataclasses
import engine.eclipse.spec as spec
spec.ECLIPSE2 = dataclasses.replace(spec.ECLIPSE2, rules_version=999)
"""
OTHER_CONTENT = """
import dataclasses
import client.table.beginning as beginning
import engine.eclipse.spec as spec
spec.ECLIPSE2 = dataclasses.replace(spec.ECLIPSE2, content_id=lambda table: b"x" * 16)
ours = beginning.content_files
def changed(game):
    files = ours(game)
    name = next(iter(files))
    return {**files, name: b"changed"}
import client.table.joining as joining
joining.content_files = changed
"""


def test_rules_that_are_newer_than_ours_are_refused_by_name(tmp_path: Path) -> None:
    with (
        host(tmp_path / "ann", script=NEWER_RULES) as ann,
        guest(tmp_path / "bob", ticket(ann), "Bob") as bob,
    ):
        assert bob.end() == 2, bob.errors
        error = bob.answer["error"]
        assert error["code"] == "rules/other"
        assert "999" in error["message"]


@pytest.mark.soak
def test_a_newer_program_plays_by_the_rules_that_the_table_began_with(tmp_path: Path) -> None:
    with (
        host(tmp_path / "ann") as ann,
        guest(tmp_path / "bob", ticket(ann), "Bob", script=NEWER_RULES) as bob,
    ):
        assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors


@pytest.mark.soak
def test_other_content_does_not_sit_down_and_is_named(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann:
        with guest(tmp_path / "bob", ticket(ann), "Bob", script=OTHER_CONTENT) as bob:
            assert bob.end() == 2, bob.errors
            error = bob.answer["error"]
            assert error["code"] == "content/other"
            assert ".toml" in error["message"]
        with guest(tmp_path / "cid", ticket(ann), "Cid") as cid:
            assert (ann.end(), cid.end()) == (0, 0), ann.errors + cid.errors


OTHER_ENGINE = """
from client.table.machine import GameMachine
def drifting(take):
    def taken(self, given):
        told = take(self, given)
        if self.match.height == 20:
            self.match.g.seats.store[0, 0] += 1
            self.match._digest = b""
        return told
    return taken
GameMachine.apply, GameMachine.replay = drifting(GameMachine.apply), drifting(GameMachine.replay)
"""


def test_two_engines_that_differ_say_where(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann, guest(tmp_path / "bob", ticket(ann), "Bob", script=OTHER_ENGINE) as bob:
        both = (ann, bob)
        ann.until(lambda: all(peer.events("table/diverged/report") for peer in both))
        (of_ann,), (of_bob,) = (peer.events("table/diverged/report") for peer in both)
        for peer, told, other in ((ann, of_ann, "Bob (bot)"), (bob, of_bob, "Ann (bot)")):
            assert told["path"] == "seats.store.0"
            assert told["name"] == other
            kept = json.loads(Path(told["file"]).read_text("utf-8"))
            assert kept["differs"] == other
            assert len(kept["entries"]) == 20
            peer.until(lambda peer=peer: "seats.store.0" in peer.errors)  # type: ignore[misc]
            assert not peer.events("table/fault")
        assert (of_ann["mine"], of_ann["theirs"]) == (of_bob["theirs"], of_bob["mine"])
        assert int(of_bob["mine"]) - int(of_ann["mine"]) == 1
        assert (of_ann["sides"], of_bob["sides"]) == (
            str([["Ann (bot)"], ["Bob (bot)"]]),
            str([["Bob (bot)"], ["Ann (bot)"]]),
        )


@pytest.mark.soak
def test_two_engines_that_differ_say_where_again_after_each_of_them_was_resumed(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann:
        with guest(tmp_path / "bob", ticket(ann), "Bob", script=OTHER_ENGINE) as bob:
            ann.until(lambda: all(peer.events("table/diverged/report") for peer in (ann, bob)))
            bob.kill()
        with resume(tmp_path / "bob", script=OTHER_ENGINE) as bob:
            bob.until(lambda: len(bob.events("table/diverged/report")) == 2)  # the log is one for both runs
            ann.kill()
            with resume(tmp_path / "ann") as ann:
                ann.until(lambda: len(ann.events("table/diverged/report")) == 2)
                assert not ann.events("table/fault")


def test_a_full_table_a_taken_name_and_a_taken_seat_are_said(tmp_path: Path) -> None:
    with host(tmp_path / "ann", players=3) as ann:
        for words, code in ((("Ann",), "lobby/name-taken"), (("Bob", "--seat", "0"), "lobby/seat-taken")):
            with guest(tmp_path / "bob", ticket(ann), *words) as bob:
                assert bob.end() == 2
                assert bob.answer["error"]["code"] == code


def test_ctrl_c_keeps_everything_and_says_so(tmp_path: Path) -> None:
    game = Game(tmp_path, height=10)
    with game.host("--local") as ann, game.guest(ann, "Bob", "--local") as bob:
        bob.reaches(9)
        bob.process.terminate()
        assert bob.end() == 3
        assert bob.answer["error"]["code"] == "cli/interrupted"
        game.go_on()
        with game.resume("bob") as again:
            assert (ann.end(), again.end()) == (0, 0), ann.errors + again.errors
            assert ann.answer["digest"] == again.answer["digest"]


@pytest.mark.soak
def test_a_table_that_was_left_is_not_taken_by_itself(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann, guest(tmp_path / "bob", ticket(ann), "Bob") as bob:
        bob.reaches(5)
        bob.kill()
        with guest(tmp_path / "bob", ticket(ann), "Bob") as twice:
            assert twice.end() == 2
            assert twice.answer["error"]["code"] == "table/known"
        ann.kill()
    with Starlock(tmp_path / "bob", "tables", "--json") as tables:
        tables.end()
        name = tables.answer["tables"][0]["name"]
    with Starlock(tmp_path / "bob", "leave", name, "--json") as leave:
        assert leave.end() == 0
    with resume(tmp_path / "bob") as none:
        assert none.end() == 2
        assert none.answer["error"]["code"] == "table/none"


def test_the_help_of_every_table_command_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("play", "demo", "host", "join", "watch", "tables", "resume", "leave"):
        with pytest.raises(SystemExit) as end:
            cli.main([command, "--help"])
        assert not end.value.code
        told = capsys.readouterr()
        assert f"starlock {command}" in told.out
        assert told.err == ""


def test_a_guest_is_told_when_the_inviter_closes_the_lobby(tmp_path: Path) -> None:
    with host(tmp_path / "ann", players=3) as ann, guest(tmp_path / "bob", ticket(ann), "Bob") as bob:
        bob.until(lambda: "Ann (bot), Bob (bot)" in bob.errors)
        ann.process.terminate()
        assert ann.end() == 3
        assert bob.end() == 2
        assert bob.answer["error"]["code"] == "lobby/closed"


@pytest.mark.soak
def test_a_guest_that_dies_in_the_lobby_makes_room_for_another(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann, guest(tmp_path / "bob", ticket(ann), "Bob", "--seat", "0") as wrong:
        assert wrong.end() == 2
    with host(tmp_path / "ann2", players=3) as ann:
        with guest(tmp_path / "bob", ticket(ann), "Bob") as bob:
            bob.until(lambda: "Ann (bot), Bob (bot)" in bob.errors)
            bob.kill()
        ann.until(lambda: ann.errors.count("Ann (bot); free seats: 2") == 2)
        with guest(tmp_path / "bob", ticket(ann), "Bob") as bob, guest(tmp_path / "cid", ticket(ann), "Cid"):
            bob.until(lambda: "Ann (bot), Bob (bot), Cid (bot)" in bob.errors)


@pytest.mark.soak
def test_a_ticket_is_taken_from_a_file_or_standard_input(tmp_path: Path) -> None:
    with host(tmp_path / "ann", players=3) as ann:
        file = tmp_path / "message.txt"
        file.write_text(f"Hi!\n> {ticket(ann).upper()}\nSee you.", "utf-8")
        with (
            guest(tmp_path / "bob", str(file), "Bob") as bob,
            file.open("rb") as text,
            guest(tmp_path / "cid", "-", "Cid", text=text) as cid,
        ):
            assert (ann.end(), bob.end(), cid.end()) == (0, 0, 0), ann.errors + bob.errors + cid.errors
            assert sorted(ann.answer["names"]) == ["Ann (bot)", "Bob (bot)", "Cid (bot)"], "who comes first sits first"
