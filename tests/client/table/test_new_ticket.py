"""Watching needs the inviter's secret, and `resume --new-ticket` replaces it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from peers import Starlock, ticket
from small import Game

pytestmark = [pytest.mark.slow, pytest.mark.soak]


def follows(game: Game, name: str, line: str) -> Starlock:
    """Somebody who watches with a ticket."""
    return game.command(name, "watch", line, "--local", "--json")


def test_a_new_ticket_takes_the_place_of_the_old_one_also_after_a_restart(tmp_path: Path) -> None:
    game = Game(tmp_path, height=3)
    with game.host("--local") as ann, game.guest(ann, "Bob", "--local") as bob:
        old = ticket(ann)
        bob.reaches(2)
        ann.kill()
        with game.resume("ann", "--new-ticket") as ann:
            ann.until(lambda: "Ticket of this table: " in ann.errors)
            found = re.search(r"Ticket of this table: (\S+)", ann.errors)
            assert found is not None
            new = found[1]
            with follows(game, "eve", old) as eve:
                assert eve.end() != 0
            with follows(game, "wat", new) as wat:
                wat.until(lambda: wat.events("link/up"))
            ann.kill()
        with game.resume("ann") as ann:
            ann.reaches(2)
            with follows(game, "wat", new) as wat:
                wat.until(lambda: wat.events("link/up"))
                game.go_on()
                assert wat.end() == 0, wat.errors
