"""Members who have finished a game answer who missed its end, whatever else they do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from latecomers import NAME, Homes, homes_at_play, homes_of_two
from peers import Starlock, host, resume

from client.commands import cli
from p2p.lockstep.machine import TableRefusal

pytestmark = pytest.mark.slow


def both_have_all(homes: Homes) -> None:
    """Bob has the end and has signed it, Ann has what he signed, and both know it."""
    assert homes.stored(0) == homes.stored(1)
    assert [homes.note(number).state for number in (0, 1)] == ["finished", "finished"]
    assert not homes.note(0).lacking


def test_who_was_killed_before_the_end_gets_it_from_one_who_sits_at_another_table(tmp_path: Path) -> None:
    homes = homes_of_two(tmp_path)
    with host(homes.folders[0], "--port", str(homes.ports[0])) as ann:
        ann.until(lambda: ann.events("peer/listening"))
        with resume(homes.folders[1], NAME) as bob:
            assert bob.end() == 0, bob.errors
            assert bob.answer["table"] == homes.table.genesis.table.hex()
            assert len(set(bob.answer["digests"])) == 1
        ann.until(lambda: ann.events("link/down"))
        assert not ann.events("link/trouble")
        ann.kill()
        assert "Bob" not in ann.errors
    both_have_all(homes)


@pytest.mark.soak  # test_table_ending.py holds the same without real clocks
def test_who_was_killed_before_the_end_gets_it_from_one_who_resumes_the_finished_game(tmp_path: Path) -> None:
    homes = homes_of_two(tmp_path)
    with resume(homes.folders[0], NAME) as ann, resume(homes.folders[1], NAME) as bob:
        assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors
        assert "has not seen the end yet" in ann.errors
        assert ann.answer["digest"] == bob.answer["digest"]
    both_have_all(homes)
    with Starlock(homes.folders[0], "resume", NAME, "--json") as again:
        assert again.end() == 0
        assert again.answer["digest"] == ann.answer["digest"]


@pytest.mark.soak  # as the first, with a spectator
def test_a_spectator_whose_watch_was_cut_gets_the_rest_too(tmp_path: Path) -> None:
    homes = homes_of_two(tmp_path)
    with host(homes.folders[0], "--port", str(homes.ports[0])) as ann:
        ann.until(lambda: ann.events("peer/listening"))
        with resume(homes.folders[2], NAME) as wat:
            assert wat.end() == 0, wat.errors
            assert wat.answer["digest"] == homes.table.peers[0].position.state.hex()
    assert homes.note(2).state == "finished"


@pytest.mark.soak
def test_leaving_a_table_that_no_process_plays_tells_who_is_in_reach_now_and_the_others_later(tmp_path: Path) -> None:
    homes = homes_at_play(tmp_path)
    with Starlock(homes.folders[0], "leave", NAME, "--json") as alone:
        assert alone.end() == 0, alone.errors
        assert (alone.answer["heard"], alone.answer["later"]) == ([], ["Player 1"])
    assert homes.note(0).state == "left"
    with resume(homes.folders[1], NAME) as bob:
        with host(homes.folders[0], "--port", str(homes.ports[0])) as ann:  # at another table, some time later
            bob.until(lambda: bob.events("table/link/left"))
            ann.until(lambda: ann.events("link/down"))
        bob.kill()
    assert "Player 0 has left the table" in bob.errors
    assert not homes.note(0).lacking
    with resume(homes.folders[1], NAME) as bob:
        bob.until(lambda: bob.events("peer/listening"))
        with Starlock(homes.folders[0], "leave", NAME, "--json") as leave:
            assert leave.end() == 0, leave.errors
            assert (leave.answer["heard"], leave.answer["later"]) == (["Player 1"], [])
        bob.until(lambda: len(bob.events("table/link/left")) == 2)


def test_who_leaves_for_good_by_the_command_gives_up_its_seat_and_the_other_plays_to_the_end_alone(
    tmp_path: Path,
) -> None:
    homes = homes_at_play(tmp_path)
    with resume(homes.folders[1], NAME) as bob:
        bob.until(lambda: bob.events("peer/listening"))
        with Starlock(homes.folders[0], "leave", NAME, "--for-good", "--json") as leave:
            assert leave.end() == 0, leave.errors
            assert (leave.answer["state"], leave.answer["final"]) == ("left", True)
            assert (leave.answer["heard"], leave.answer["later"]) == (["Player 1"], [])
        assert "Telling the others" not in leave.errors, "they have said that they hold the signature"
        assert "the others play on without you, also one alone" in " ".join(leave.errors.split())
        assert bob.end() == 0, bob.errors
        assert len(bob.answer["digests"]) == 1, "the one who is left signs the end"
    with Starlock(homes.folders[0], "leave", NAME, "--for-good", "--json") as again:
        assert again.end() == 0, "twice is once"


def test_who_left_for_good_is_told_who_knows_it_also_if_the_game_is_over_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    homes = homes_at_play(tmp_path)
    monkeypatch.setenv("STARLOCK_HOME", str(homes.folders[0] / "home"))
    monkeypatch.setattr("client.table.leaver.AGAIN", 2.0)  # the other has played on alone and left before this
    with resume(homes.folders[1], NAME) as bob:
        bob.until(lambda: bob.events("peer/listening"))
        assert cli.main(["leave", NAME, "--for-good", "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert (answer["final"], answer["heard"], answer["later"]) == (True, ["Player 1"], [])
        assert bob.end() == 0, bob.errors


def test_nothing_is_left_for_good_if_the_game_ends_before_the_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    homes = homes_at_play(tmp_path, played_by_bots=True)
    monkeypatch.setenv("STARLOCK_HOME", str(homes.folders[0] / "home"))
    unconfirmed = TableRefusal("lockstep/unconfirmed")
    monkeypatch.setattr("client.table.controls.RunningControls.propose", lambda self, kind: unconfirmed)
    with resume(homes.folders[1], NAME) as bob:
        bob.until(lambda: bob.events("peer/listening"))
        assert cli.main(["leave", NAME, "--for-good", "--json"]) == 2
        assert json.loads(capsys.readouterr().out)["error"]["code"] == "leave/nothing-to-give"
        assert bob.end() == 0, bob.errors
    assert homes.note(0).state == "finished"
