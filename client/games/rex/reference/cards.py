# SPDX-License-Identifier: GPL-3.0-or-later
"""The effects of the cards of Rex: Strategy, Betrayal and Influence cards."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from client.games.rex.wording import term
from client.system.texts import N_, _
from engine.rex.catalog import City
from engine.rex.tables import InfluenceCard

CARDS: Final = {
    "energy-rifle": N_("Attack: kills the opposing leader unless there is an energy defence."),
    "x35-bio-weapon": N_("Attack: kills the opposing leader unless there is a bio defence."),
    "plasma-annihilator": N_(
        "Attack: kills the opposing leader through any defence; with an energy defence on either side nothing in the"
        " space survives."
    ),
    "energy-shield": N_("Defence against energy attacks."),
    "bio-filter": N_("Defence against bio attacks."),
    "stand-in-officer": N_(
        "Committed in place of a leader, without strength; discarded afterwards, unless its side wins by a traitor."
    ),
    "empty-crate": N_("Without effect; may be committed as attack or defence."),
    "diplomatic-interference": N_("The next use of a named ability in this phase does not work."),
    "sworn-testimony": N_("A player says truly whether it holds a named card or traitor."),
    "fresh-recruits": N_("A leader of yours or up to {fresh_units} normal units come back, beyond all limits."),
    "fleet-sabotage": N_("Instead of a draw the fleet moves 0 to {sabotage_most} sectors, as you like."),
    "shield-bomb": N_(
        "A shielded space where you stand, or next to it, loses its shield for good and all units in it; then the card"
        " is out of the game."
    ),
    "forced-march": N_("Move one more group in your turn."),
    "tracking-beacon": N_("At the beginning of the Influence phase: a Sol Offensive."),
    "hidden-cache": N_("After a location: one of its spaces gets its influence once more."),
    "turncoat-medic": N_("Before the plans of your battle: a random leader of the opponent dies."),
}
"""The effect of each Strategy card."""

BETRAYAL: Final = {
    "path-of-peace": N_("You have more units in the Galactic Council than each of your allies."),
    "cautious-command": N_("Fewer of your leaders are lost than of each of your allies'."),
    "massed-banners": N_("You have more units on the map than each of your allies."),
    "deep-coffers": N_("You hold more influence than each of your allies."),
    "secret-arsenal": N_("You hold more Strategy cards than each of your allies."),
    "city-network": N_("You control more spaces than each of your allies."),
    "fortress-builder": N_("You control more strongholds than each of your allies."),
    "throne-claimant": N_("You control the Imperial Palace and at least one stronghold more."),
}
"""The condition of each Betrayal card."""

INFLUENCE: Final = {
    "temporary-ceasefire": N_("alliances form and break, influence changes hands"),
    "sol-offensive": N_("units and influence in the spaces of the latest Location card are destroyed"),
}
"""The effects of Influence cards without a location."""


def strategy_text(const: City, id: str) -> str:
    """The effect of a Strategy card."""
    return _(CARDS[id]).format_map(asdict(const.numbers))


def betrayal_text(id: str) -> str:
    """The condition of a Betrayal card."""
    return _(BETRAYAL[id])


def influence_card_text(const: City, card: InfluenceCard) -> str:
    """The effect of an Influence card: the space and amount for a location."""
    if card.kind != "location":
        return _(INFLUENCE[card.id])
    spaces = (
        _("{space} (sector {sector}): {n}").format(
            space=term(id), sector=const.spaces[const.space_index[id]].sector, n=influence
        )
        for id, influence in zip(card.spaces, card.influence, strict=True)
    )
    return "; ".join(spaces)
