"""Troubles of a table by name, and tables that are in them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from parties import ANNA, BOB, CARL
from screen_game import Solo

from client.session.troubles import Troubles
from client.show.styled import UNICODE, Glyphs
from client.table.notices import (
    DiskFull,
    DivergenceFound,
    FaultProven,
    LinkChange,
    LinkChanged,
    Owes,
    PeerStopped,
    Program,
    Restoring,
    SplitFound,
    StateDiverged,
    TableNotice,
)
from engine.core.errors import Refusal
from p2p.lockstep.report import Difference

ROWS = (Difference("seats.science.2", 5, 7), Difference("round.tray.4", 1, 0))
SIDES = ((ANNA, CARL), (BOB,))
FILE = Path("/srv/anna/divergence-9c41-93.json")
HERE = Program("1.2.0", "3.11.7", "eclipse2/9", "9c41a0b2", repeats=True)
THERE = replace(HERE, version="1.1.0")
NOTICES: dict[str, TableNotice] = {
    "reconnecting": LinkChanged(LinkChange.DOWN, (BOB,), "link/dead"),
    "left": LinkChanged(LinkChange.LEFT, (BOB,), "bye/leave"),
    "gone-for-good": PeerStopped("lockstep/left"),
    "alone": LinkChanged(LinkChange.ALONE, (BOB,)),
    "older-copy": PeerStopped("lockstep/older-copy"),
    "unconfirmed": PeerStopped("lockstep/unconfirmed"),
    "twin": PeerStopped("lockstep/twin"),
    "secret-lost": PeerStopped("lockstep/secret-lost"),
    "left-out": PeerStopped("lockstep/left-out"),
    "given-up": PeerStopped("lockstep/given-up"),
    "disk-full": DiskFull(Path("/srv/anna/starlock.db")),
    "restoring": Restoring(1200, 4000),
    "fault": FaultProven(BOB, "entry/forked"),
    "owes": Owes(BOB, CARL),
    "split": SplitFound(40, (BOB, CARL)),
    "diverged": StateDiverged(BOB, 93),
    "diverged-own": StateDiverged(ANNA, 93, "own"),
    "diverged-unknown": StateDiverged(BOB, 93, "unknown"),
    "divergence": DivergenceFound(
        BOB, 93, "seats.science.2", "5", "7", ROWS, 2, FILE, SIDES, HERE, THERE, repair_from=92
    ),
    "divergence-once": DivergenceFound(BOB, 93, "", "?", "?", (), 0, FILE, SIDES, HERE, replace(HERE, repeats=False)),
}


def standing(*notices: TableNotice) -> Troubles:
    """What stands after these notices."""
    found = Troubles()
    for notice in notices:
        found.heard(notice)
    return found


def faced(name: str, glyphs: Glyphs = UNICODE) -> Solo:
    """A table at which this has happened. Bob can be left out there, as at one of three."""
    table = Solo("eclipse2", glyphs=glyphs)
    table.session.only_other = lambda: None  # type: ignore[method-assign]
    table.session.notice(NOTICES[name])
    return table


class Consenting:
    """What is proposed is noted."""

    def __init__(self, table: Solo, across: bool = False) -> None:
        self.asked: list[Any] = []
        controls: Any = table.controls
        controls.propose = self.propose
        controls.vouch = lambda: self.asked.append("newest")
        controls.secrets_since = lambda _height: across

    def propose(self, kind: str, about: Any = (), back_to: int | None = None, *, across: bool = False) -> Any:
        self.asked.append((kind, tuple(about), back_to, across))
        return Refusal("pact/only-two") if kind == "gone" else None
