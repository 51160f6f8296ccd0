"""Dumps that somebody forged, with the right checksum: what plays from them would never end."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

from engine.core.errors import Refusal
from engine.core.match import Match
from engine.core.registry import game
from engine.testing.gamekit import some_table


def base_of(name: str, seats: int) -> dict[str, Any]:
    """The parts of a dump of a game at its beginning."""
    spec = game(name)
    dump: dict[str, Any] = json.loads(Match.new(spec, some_table(spec, seats, 0)).dump().split(b"\n")[0])
    return dump


def loaded(name: str, dump: dict[str, Any]) -> Match | Refusal:
    text = json.dumps(dump).encode()
    return Match.load(game(name), text + b"\n" + blake2b(text, digest_size=16).hexdigest().encode())


def test_a_forged_dump_whose_segments_never_wait_is_refused() -> None:
    dump = base_of("eclipse2", 2)
    base = dump["base"]
    base["round"]["number"] = 99  # past the last round, after which the game ends
    base["round"]["bag"] = [0] * len(base["round"]["bag"])
    base["seats"]["out"] = [1, 1]
    base["flow"] = {"now": [], "agenda": [["round"]], "cursor": 0, "notices": []}
    dump["tail"] = []
    refusal = loaded("eclipse2", dump)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "dump/damaged"
    assert "segments without a wait" in str(refusal)


def test_a_forged_dump_with_a_number_that_rules_would_count_up_to_for_ever_is_refused() -> None:
    dump = base_of("rex", 3)
    dump["base"]["round"]["sabotage"] = 10**12
    assert loaded("rex", dump) == Refusal(
        "dump/damaged", "base.round.sabotage", ("expected a number up to 1000000, got int 1000000000000",)
    )
    dump = base_of("rex", 3)
    dump["base"]["flow"]["agenda"][0].append(-(10**12))
    refusal = loaded("rex", dump)
    assert isinstance(refusal, Refusal)
    assert refusal.path.startswith("base.flow.agenda.0.")
