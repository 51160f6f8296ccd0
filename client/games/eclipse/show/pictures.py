# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of Eclipse, by their command names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from client.games.eclipse.show.boards import boards, moment, score, ships, state, status
from client.games.eclipse.show.counts import COUNTS
from client.games.eclipse.show.fight import battle, battle_at, best_target, fight, fight_on, shots
from client.games.eclipse.show.forms import form
from client.games.eclipse.show.hints import aside, discovery_text, drawn_tiles, hint, question, title
from client.games.eclipse.show.map import galaxy, legend, near, the_map
from client.games.eclipse.show.odds import bombing, forces, outlook, standing
from client.games.eclipse.show.pieces import places
from client.games.eclipse.show.tech import offers, parts, tray
from client.games.eclipse.show.whatif import suppose, whatif
from client.show.document import Document, Note
from client.show.pictures import Documents, Fights, Frame, Picture, Pictures, Questioning
from client.system.texts import N_, NC_, _
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse.actions.explore import LookAgain, PlaceSector
from engine.eclipse.actions.upgrade import Upgrade
from engine.eclipse.combat.bombard import AttackPopulation
from engine.eclipse.combat.strike import Assign, Engage
from engine.eclipse.discovery import TakeDiscovery
from engine.eclipse.flow import PASS, Menu
from engine.eclipse.state import NOBODY
from engine.eclipse.terms import ACTIONS


def before(frame: Frame, ask: Choose[Any]) -> Document:
    """What to show before an answer."""
    if isinstance(ask, Engage | Assign):
        shown = battle_at(frame, frame.g.const.sector_index[ask.sector])
        return [*shown, shots(ask)] if isinstance(ask, Assign) else shown
    if isinstance(ask, Upgrade):
        return ships(frame, ask.seat)
    texts: list[str] = []
    if isinstance(ask, Menu) and frame.g.seats.passed[ask.seat]:
        texts = [_("You have passed: upgrade, build or move once as a reaction, or pass again.")]
    elif isinstance(ask, PlaceSector | LookAgain):
        texts = drawn_tiles(frame)
    elif isinstance(ask, AttackPopulation):
        texts = bombing(frame, ask)
    elif isinstance(ask, TakeDiscovery):
        texts = [discovery_text(frame, ask.discovery)]
    return [Note(text) for text in texts if text]


LETTERS: Final = "ergbmi"
"""The letters of the actions, in the order of the player board."""


def lasting(ask: Choose[Any]) -> Sequence[tuple[Value, str]]:
    """The actions of a turn, and passing."""
    return [*zip(ACTIONS, LETTERS, strict=True), (PASS, "p")] if isinstance(ask, Menu) else []


def home(frame: Frame) -> str:
    """The home sector of the seat's species."""
    seat = frame.view.seat
    species = frame.g.seats.species[seat] if seat >= 0 else NOBODY
    return frame.g.const.sector_ids[frame.g.const.home[species]] if species != NOBODY else ""


PICTURES: Final = Pictures(
    documents=Documents(
        goods="tech",
        offers=offers,
        commands={
            NC_("command", "map"): Picture(N_("[SECTOR]"), N_("the galaxy, or all about one sector"), galaxy),
            NC_("command", "near"): Picture(
                N_("[SECTOR]"), N_("the sectors around one, or around your home, drawn large"), near
            ),
            NC_("command", "legend"): Picture("", N_("what the signs on the map mean"), legend, title=N_("Legend")),
            NC_("command", "boards"): Picture(
                N_("[SEAT]"), N_("all seats side by side, or one seat's board"), boards, title=N_("Boards")
            ),
            NC_("command", "tech"): Picture(
                N_("[hands]"), N_("the technologies on the tray and what you pay"), tray, title=N_("Research")
            ),
            NC_("command", "parts"): Picture(
                "", N_("all ship parts and which you may place"), parts, title=N_("Ship parts")
            ),
            NC_("command", "battle"): Picture(
                N_("[SECTOR]"), N_("the ships of a contested sector"), battle, title=N_("Battles")
            ),
            NC_("command", "odds"): Picture(
                N_("[SECTOR | SHIPS vs SHIPS]"),
                N_("who wins a battle how often, with the ships as built here"),
                whatif,
                title=N_("Odds"),
            ),
            NC_("command", "score"): Picture("", N_("everybody's points so far"), score, title=N_("Points")),
        },
        before=before,
        outlook=outlook,
        form=form,
        map=the_map,
        spaces=lambda g: g.const.sector_index,
        home=home,
        status=status,
        moment=moment,
        state=state,
    ),
    questions=Questioning(
        text=question,
        title=title,
        hint=hint,
        places=places,
        aside=aside,
        lasting=lasting,
        opening=frozenset({"turn/action", "turn/reaction", "turn/passed", "turn/passed-again"}),
        exchange="trade",
        example=N_("exp for explore, z 1 -2 for zone 1 -2"),
    ),
    fights=Fights(
        opens=("combat/battle", "sector"),
        retreat="retreat",
        belonging=frozenset({"combat", "reputation"}),
        forces=forces,
        odds=lambda frame, space: standing(frame, frame.g.const.sector_index[space]),
        dice=True,
        phase="round/phase",
        now=fight,
        advised=best_target,
        fight_on=fight_on,
        suppose=suppose,
    ),
    counts=COUNTS,
)
