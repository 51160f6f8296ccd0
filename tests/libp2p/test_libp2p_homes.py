"""Two homes whose only way to each other is the libp2p network: through its relay, and past it where routers allow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from jsrelay import WITH_EXTRA, JsRelay, js_relay, missing
from peers import Starlock, guest, host, ticket
from persons import person, shown_line, sit_down, ticket_with
from test_odd_paths import HOST, NAME

from p2p.testing import homes as lab

REASON = missing() or lab.missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]


@contextmanager
def two_homes(folder: Path, kind: str, players: int = 2) -> Iterator[tuple[JsRelay, Starlock, Starlock]]:
    """A relay that both reach, Ann at one home and Bob at the other."""
    with lab.homes(kind, kind) as two, js_relay(folder / "relay", lab.PUBLIC, two.command("public")) as relay:
        words = ["--libp2p", relay.multiaddr]
        with (
            host(
                folder / "ann", *words, players=players, local=False, before=two.command("0"), script=WITH_EXTRA
            ) as ann,
            guest(folder / "bob", ticket(ann), "Bob", local=False, before=two.command("1"), script=WITH_EXTRA) as bob,
        ):
            yield relay, ann, bob


def links(peer: Starlock) -> list[str]:
    """How its links came about, in order."""
    return [each["way"] for each in peer.events("link/up")]


@pytest.mark.soak
def test_where_no_way_can_be_opened_a_game_outlives_a_restart_of_the_relay(tmp_path: Path) -> None:
    with two_homes(tmp_path, "symmetric") as (relay, ann, bob):
        bob.reaches(60)
        relay.restart()
        assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors
        assert ann.answer["digest"] == bob.answer["digest"]
        assert len(links(bob)) > 1
        assert set(links(bob)) == {"libp2p"}


@pytest.mark.soak
def test_where_routers_allow_it_a_direct_connection_replaces_the_relay(tmp_path: Path) -> None:
    """A seat stays free, so that no game is over before."""
    with two_homes(tmp_path, "cone", players=3) as (_, ann, bob):
        bob.until(lambda: "bye/replaced" in {each["code"] for each in bob.events("link/down")})
        bob.until(lambda: len(links(bob)) > 1)
        assert links(bob)[0] == "libp2p"
        assert links(bob)[-1] in ("direct", "punched")
        ann.until(lambda: links(ann)[-1] in ("direct", "punched"))


@pytest.mark.soak
def test_a_node_that_is_no_relay_tells_both_homes_their_addresses_and_they_meet_by_an_answer(tmp_path: Path) -> None:
    """Nobody types an address. The relay that the node tells of is gone."""
    for name in ("a", "b"):
        (tmp_path / name / "config").mkdir(parents=True)
    with lab.homes("port-restricted", "port-restricted") as two:
        before = two.command("public")
        with js_relay(tmp_path / "relay", lab.PUBLIC, before) as relay:
            node = JsRelay(tmp_path / "node", lab.PUBLIC, before, known=relay.multiaddr)
        try:
            for name in ("a", "b"):
                (tmp_path / name / "config" / "relays.txt").write_text(f"{node.multiaddr}\n", "utf-8")
            words = ("host", "eclipse2", "--players", "2", "--name", "Anna", "--linear", "--private")
            with person(tmp_path / "a", two.command("0"), *words, before=WITH_EXTRA) as anna:
                line = ticket_with(anna, f"{lab.WAN}.1")
                join = ("join", line, "--name", "Bob", "--linear")
                with person(tmp_path / "b", two.command("1"), *join, before=WITH_EXTRA) as bob:
                    anna.type(f"{shown_line(bob, 'Send this answer back')}\r")
                    sit_down(anna, bob)
                    assert all(re.search(BEGUN, each.text) for each in (anna, bob))
        finally:
            node.end()


BEGUN: Final = "Table eclipse2-.* begins"
TROUBLE: Final = "does not relay|is lost|Send this answer back"


def play_through(folder: Path, two: lab.Homes, relay: str) -> list[str]:
    """Anna and Bob, each at a terminal in a home, sit down at a table by a ticket that names a relay. Returns what both
    have read."""
    with person(folder / "a", two.command("0"), *HOST, "--libp2p", relay, before=WITH_EXTRA) as anna:
        anna.until("Friends anywhere can reach you, through a relay")
        ticket = shown_line(anna, "they type: starlock join TICKET")
        join = ("join", ticket, "--name", "Bob", "--linear")
        with person(folder / "b", two.command("1"), *join, before=WITH_EXTRA) as bob:
            sit_down(anna, bob)
            return [anna.text, bob.text]


@pytest.mark.soak
def test_a_relay_of_the_libp2p_network_is_reached_by_its_name_where_ipv6_is_broken_at_both_homes(
    tmp_path: Path,
) -> None:
    with lab.homes("ipv6", "ipv6") as two, js_relay(tmp_path / "relay", lab.PUBLIC, two.command("public")) as relay:
        for home in (0, 1):
            two.lose_ipv6(home)
            two.know(str(home), NAME, lab.PUBLIC_6, lab.PUBLIC)
        read = play_through(tmp_path, two, relay.multiaddr.replace(f"/ip4/{lab.PUBLIC}/", f"/dns/{NAME}/"))
        assert [(bool(re.search(BEGUN, text)), re.search(TROUBLE, text)) for text in read] == [(True, None)] * 2


@pytest.mark.soak
def test_a_relay_of_the_libp2p_network_carries_a_table_over_paths_of_1280_bytes_that_drop_larger_packets(
    tmp_path: Path,
) -> None:
    with (
        lab.homes("symmetric", "symmetric") as two,
        js_relay(tmp_path / "relay", lab.PUBLIC, two.command("public")) as relay,
    ):
        for home in (0, 1):
            two.narrow(home)
        read = play_through(tmp_path, two, relay.multiaddr)
        assert [(bool(re.search(BEGUN, text)), re.search(TROUBLE, text)) for text in read] == [(True, None)] * 2
