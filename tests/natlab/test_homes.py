"""Friends at different homes meet with a ticket alone and play a whole game, by the way that their routers allow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from homes import PUBLIC, Homes, homes, missing
from peers import Starlock, guest, host, ticket

REASON = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

MATRIX = [
    ("open", "cone", False),
    ("cone", "open", True),
    ("cone", "cone", True),
    ("cone", "symmetric", False),
    ("symmetric", "symmetric", False),
]
"""Home of who invites, home of who comes, and whether a direct link replaces the one through the relay: the
inviter dials back, or both open their routers. To an open home the first link is direct; a symmetric router lets no way
be opened."""


@contextmanager
def relaying(folder: Path, lab: Homes) -> Iterator[None]:
    """A relay on the public host while the block lasts."""
    with Starlock(folder / "relay", "relay", "--json", before=lab.command("public")) as relay:
        assert relay.process.stdout is not None
        assert json.loads(relay.process.stdout.readline())["ok"]
        yield


@pytest.mark.parametrize(("inviter", "comer", "replaced"), MATRIX)
def test_two_homes_play_by_the_way_that_their_routers_allow(
    tmp_path: Path, inviter: str, comer: str, replaced: bool
) -> None:
    with (
        homes(inviter, comer) as lab,
        relaying(tmp_path, lab),
        host(tmp_path / "ann", "--relay", PUBLIC, local=False, before=lab.command("0")) as ann,
        guest(tmp_path / "bob", ticket(ann), "Bob", local=False, before=lab.command("1")) as bob,
    ):
        assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors
        assert ann.answer["digest"] == bob.answer["digest"]
        assert ("bye/replaced" in {each["code"] for each in bob.events("link/down")}) == replaced


def test_three_homes_behind_three_routers_play_with_nothing_but_one_ticket(tmp_path: Path) -> None:
    with homes("cone", "symmetric", "cone") as lab, relaying(tmp_path, lab):
        ann, bob, cid = three(tmp_path, lab, "--relay", PUBLIC)
        assert ann.answer["digest"] == bob.answer["digest"] == cid.answer["digest"]


def test_a_friend_who_can_be_reached_relays_for_two_who_cannot(tmp_path: Path) -> None:
    with homes("open", "symmetric", "symmetric") as lab:
        ann, bob, cid = three(tmp_path, lab)
        assert ann.answer["digest"] == bob.answer["digest"] == cid.answer["digest"]
        assert "Cid" in {each["name"] for each in bob.events("table/link/up")}
        assert "Bob" in {each["name"] for each in cid.events("table/link/up")}


def three(folder: Path, lab: Homes, *words: str) -> list[Starlock]:
    """A whole game between three homes, from one ticket."""
    with host(folder / "ann", *words, players=3, local=False, before=lab.command("0")) as ann:
        line = ticket(ann)
        with (
            guest(folder / "bob", line, "Bob", local=False, before=lab.command("1")) as bob,
            guest(folder / "cid", line, "Cid", local=False, before=lab.command("2")) as cid,
        ):
            assert (ann.end(), bob.end(), cid.end()) == (0, 0, 0), ann.errors + bob.errors + cid.errors
            return [ann, bob, cid]
