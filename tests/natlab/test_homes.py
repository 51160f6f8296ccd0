"""Friends at different homes meet with a ticket alone and play a whole game, by the way that their routers allow."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest
from peers import Starlock, ticket
from small import Game, finish, ways

from p2p.testing.homes import KINDS, PUBLIC, Homes, homes, missing

REASON = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

OPEN = ("open", "cone")
"""Whoever lives so can be dialed."""
CHANGING = ("symmetric", "ipv6")
"""Nobody can know the port that such a router gives the next connection."""


def way(one: str, other: str) -> str:
    """By which way two homes end up linked while there is a relay."""
    if one == other == "isolated":
        return "relay"  # their router does not lead back in
    if one in OPEN or other in OPEN:
        return "direct"
    if one == other == "ipv6":
        return "punched"
    changing, kept = (one, other) if one in CHANGING else (other, one)
    if changing in CHANGING:
        return "direct" if kept == "address-restricted" else "relay"
    return "punched"


MATRIX = list(product(KINDS, repeat=2))
GATE = {("cone", "udp-blocked"), ("ipv6", "ipv6"), ("address-restricted", "symmetric")}
"""Cells that the gate tries; the tests below have the other kinds, and links through a relay. All are for the soak."""
SECOND = "40929"
"""The port of a second relay."""


@contextmanager
def relaying(folder: Path, lab: Homes, *words: str, script: str = "") -> Iterator[Starlock]:
    """A relay on the public host while the block lasts. script: as in `Starlock`."""
    with Starlock(folder / "relay", "relay", "--json", *words, before=lab.command("public"), script=script) as relay:
        assert relay.process.stdout is not None
        assert json.loads(relay.process.stdout.readline())["ok"]
        yield relay


@pytest.mark.parametrize(
    ("inviter", "comer"), [pytest.param(*pair, marks=[] if pair in GATE else pytest.mark.soak) for pair in MATRIX]
)
def test_two_homes_play_by_the_way_that_their_routers_allow(tmp_path: Path, inviter: str, comer: str) -> None:
    game = Game(tmp_path)
    with (
        homes(inviter, comer) as lab,
        relaying(tmp_path, lab),
        game.host("--relay", PUBLIC, before=lab.command("0")) as ann,
        game.guest(ann, "Bob", before=lab.command("1")) as bob,
    ):
        bob.until(lambda: ways(bob) in GOOD[way(inviter, comer)])
        assert len(finish(game, ann, bob)) == 1


GOOD = {"direct": (["direct"], ["punched"]), "punched": (["punched"], ["direct"]), "relay": (["relay"],)}
"""Where both dial and both punch, either may be the first to get through: what a punch opens for a moment lets in what
the other side dials."""


def test_three_homes_behind_three_routers_play_with_nothing_but_one_ticket(tmp_path: Path) -> None:
    game = Game(tmp_path)
    with (
        homes("port-restricted", "symmetric", "double") as lab,
        relaying(tmp_path, lab),
        game.host("--relay", PUBLIC, players=3, before=lab.command("0")) as ann,
        game.guest(ann, "Bob", before=lab.command("1")) as bob,
        game.guest(ann, "Cid", before=lab.command("2")) as cid,
    ):
        bob.until(lambda: ways(bob) == ["relay", "relay"])
        cid.until(lambda: "relay" in ways(cid) and len(ways(cid)) == 2 and set(ways(cid)) != {"relay"})
        assert len(finish(game, ann, bob, cid)) == 1


def test_a_friend_who_can_be_reached_relays_for_two_who_cannot(tmp_path: Path) -> None:
    game = Game(tmp_path)
    with (
        homes("open", "symmetric", "symmetric") as lab,
        game.host(players=3, before=lab.command("0")) as ann,
        game.guest(ann, "Bob", before=lab.command("1")) as bob,
        game.guest(ann, "Cid", before=lab.command("2")) as cid,
    ):
        bob.until(lambda: sorted(ways(bob)) == ["direct", "friend"])
        cid.until(lambda: sorted(ways(cid)) == ["direct", "friend"])
        assert len(finish(game, ann, bob, cid)) == 1


def test_a_friend_whom_nobody_can_dial_relays_over_its_links_when_the_relay_vanishes(
    tmp_path: Path,
) -> None:
    game = Game(tmp_path, height=4)
    with (
        homes("port-restricted", "isolated", "isolated") as lab,
        relaying(tmp_path, lab) as relay,
        game.host("--relay", PUBLIC, players=3, before=lab.command("0")) as ann,
        game.guest(ann, "Bob", "--port", "41001", before=lab.command("1")) as bob,  # their router can keep both ports
        game.guest(ann, "Cid", "--port", "41002", before=lab.command("2")) as cid,
    ):
        guests = (bob, cid)
        bob.until(lambda: all({"punched", "direct"} & {*ways(guest)} and guest.height >= 3 for guest in guests))
        relay.kill()
        bob.until(lambda: all("friend" in ways(guest) and "relay" not in ways(guest) for guest in guests))
        assert len(finish(game, ann, bob, cid)) == 1


def test_a_game_goes_on_when_a_router_gets_another_address_and_a_relay_vanishes(tmp_path: Path) -> None:
    game = Game(tmp_path, height=4)
    with (
        homes("port-restricted", "port-restricted") as lab,
        relaying(tmp_path / "first", lab) as first,
        relaying(tmp_path / "second", lab, "--port", SECOND),
        game.host("--relay", PUBLIC, "--relay", f"{PUBLIC}:{SECOND}", before=lab.command("0")) as ann,
        game.guest(ann, "Bob", before=lab.command("1")) as bob,
    ):
        bob.until(lambda: ways(bob) in GOOD["punched"] and bob.height >= 3)
        first.kill()
        lab.renumber(0, 77)
        bob.until(lambda: any(each["code"] == "link/dead" for each in bob.events("link/down")))
        bob.until(lambda: ways(bob) in GOOD["punched"])
        assert len(finish(game, ann, bob)) == 1


def test_doctor_tells_the_kind_of_router_and_that_the_relay_of_the_ticket_leads_to_the_inviter(tmp_path: Path) -> None:
    with (
        homes("port-restricted", "symmetric", "cone") as lab,
        relaying(tmp_path, lab),
        Game(tmp_path).host("--relay", PUBLIC, before=lab.command("0")) as ann,
    ):
        line = ticket(ann)
        for home, kind in (("1", "symmetric"), ("2", "cone")):
            with Starlock(tmp_path / home, "doctor", line, "--json", before=lab.command(home)) as doctor:
                assert doctor.end() == 0, doctor.said
                steps = {each["step"]: each for each in doctor.answer["steps"]}
                assert kind in steps["router"]["found"]
                assert steps["relay"]["ok"]
                assert "clock is right" in steps["clock"]["found"]
                assert not steps["candidate"]["ok"]


ONE_PORT = """table inet firewall {
  chain input { type filter hook input priority 0; policy drop;
    ct state established,related accept; iifname "lo" accept; meta l4proto { icmp, ipv6-icmp } accept;
    tcp dport 40918 accept; }
}
"""


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["port-restricted", "symmetric"])
def test_a_relay_behind_a_firewall_with_one_open_port_is_enough(tmp_path: Path, kind: str) -> None:
    """The second port, at which a relay is asked to compare, cannot be reached."""
    game = Game(tmp_path)
    with homes(kind, kind) as lab:
        subprocess.run(lab.command("public", "nft", "-f", "-"), input=ONE_PORT, text=True, check=True)
        with (
            relaying(tmp_path, lab),
            game.host("--relay", PUBLIC, before=lab.command("0")) as ann,
            game.guest(ann, "Bob", before=lab.command("1")) as bob,
        ):
            bob.until(lambda: ways(bob) in GOOD[way(kind, kind)])
            assert len(finish(game, ann, bob)) == 1


@pytest.mark.soak
def test_a_relayed_game_goes_on_by_the_other_relay_and_by_one_that_is_back(tmp_path: Path) -> None:
    game = Game(tmp_path, height=4)
    with (
        homes("symmetric", "symmetric") as lab,
        relaying(tmp_path / "first", lab) as first,
        relaying(tmp_path / "second", lab, "--port", SECOND) as second,
        game.host("--relay", PUBLIC, "--relay", f"{PUBLIC}:{SECOND}", before=lab.command("0")) as ann,
        game.guest(ann, "Bob", before=lab.command("1")) as bob,
    ):
        bob.until(lambda: ways(bob) == ["relay"] and bob.height >= 3)
        first.kill()
        with relaying(tmp_path / "again", lab):
            second.kill()  # one of the two carried the link
            bob.until(lambda: bob.events("link/down"))
            bob.until(lambda: ways(bob) == ["relay"])
            assert len(finish(game, ann, bob)) == 1


@pytest.mark.soak
def test_a_game_goes_on_when_a_cable_was_out(tmp_path: Path) -> None:
    game = Game(tmp_path, height=4)
    with (
        homes("port-restricted", "symmetric") as lab,
        relaying(tmp_path, lab),
        game.host("--relay", PUBLIC, before=lab.command("0")) as ann,
        game.guest(ann, "Bob", before=lab.command("1")) as bob,
    ):
        bob.until(lambda: ways(bob) == ["relay"] and bob.height >= 3)
        lab.cut(1)
        bob.until(lambda: bob.events("link/down") and ann.events("link/down"))
        lab.heal(1)
        bob.until(lambda: ways(bob) == ["relay"])
        assert len(finish(game, ann, bob)) == 1
