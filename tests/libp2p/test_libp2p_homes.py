"""Two homes whose only way to each other is the libp2p network: through its relay, and past it where routers allow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from jsrelay import WITH_EXTRA, JsRelay, js_relay, missing
from peers import Starlock, guest, host, ticket

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
