"""Two homes whose only way to each other is the libp2p network: through its relay, and past it where routers allow."""

from __future__ import annotations

from pathlib import Path

import homes as lab
import pytest
from jsrelay import WITH_EXTRA, js_relay, missing
from peers import guest, host, ticket

REASON = missing() or lab.missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]


@pytest.mark.parametrize(("kind", "direct"), [("symmetric", False), ("cone", True)])
def test_two_homes_play_through_the_libp2p_network(tmp_path: Path, kind: str, direct: bool) -> None:
    """The relay is killed and started again in the middle of the game."""
    with (
        lab.homes(kind, kind) as two,
        js_relay(tmp_path / "relay", lab.PUBLIC, two.command("public")) as relay,
        host(
            tmp_path / "ann", "--libp2p", relay.multiaddr, local=False, before=two.command("0"), script=WITH_EXTRA
        ) as ann,
        guest(tmp_path / "bob", ticket(ann), "Bob", local=False, before=two.command("1"), script=WITH_EXTRA) as bob,
    ):
        bob.reaches(60)
        relay.restart()
        assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors
        assert ann.answer["digest"] == bob.answer["digest"]
        assert ("bye/replaced" in {each["code"] for each in bob.events("link/down")}) == direct
