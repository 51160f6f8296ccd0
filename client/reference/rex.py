"""The reference of Rex: articles in our own words, figures from the tables that are played with.

Many values of this game are reconstructions: every entry of a table says how sure its values are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from client.reference import Entry
from client.texts import N_, _
from client.wording import term
from engine.rex.catalog import City, city
from engine.rex.tables import Faction, Space

__all__ = ["entries"]

PHASES: Final = (
    (
        "influence",
        N_(
            "Influence cards are drawn until a location has put influence into its two spaces; none is put under the"
            " fleet. In a Temporary Ceasefire alliances form or break and influence changes hands; in rounds 1 to"
            " {reshuffle_rounds} the card goes back into the deck. A Sol Offensive destroys everything in the two"
            " spaces of the latest location, but no units of Sol and its allies."
        ),
    ),
    (
        "bidding",
        N_(
            "A Strategy card for everybody below the hand limit comes up face down, one after the other. One bids at"
            " least 1 or passes for good; who bids most pays Lazax. When nobody wants a card the phase is over."
        ),
    ),
    (
        "recruitment",
        N_(
            "Up to {recruit_most} units come back from the casualties: some for nothing, each other one for"
            " {recruit_price} influence; and one leader for its strength."
        ),
    ),
    (
        "maneuvering",
        N_(
            "One group moves by roads: 2 spaces, {transit_move} for who controls the Navy Base or the Spaceport. Then"
            " units deploy into one space for {deploy_price} influence each, {contested_price} beside enemies, paid to"
            " Hacan. Nothing enters, leaves or crosses the fleet's sector; nobody stops beside an ally."
        ),
    ),
    (
        "battle",
        N_(
            "Both sides fix a dial up to the strength of their units, a leader and which kinds of card they play; after"
            " that is open, the cards. A leader killed by an attack without the right defence counts nothing. The"
            " higher total wins, turn order breaks ties. The loser loses all units and played cards, the winner units"
            " worth the dial. Who holds the opposing leader as a traitor wins without any loss."
        ),
    ),
    (
        "collection",
        N_(
            "Who holds at most {charity_most} influence gains {charity}. Each unit takes up to {collect} influence from"
            " a space that its owner controls, {transit_collect} for who controls the Navy Base or the Spaceport."
        ),
    ),
    (
        "bombardment",
        N_(
            "The fleet moves 1 to 6 sectors clockwise and destroys units and influence in every unshielded space it"
            " enters. The token of the first player is passed on, and victory is checked."
        ),
    ),
)
"""The phases in their order."""

VICTORY: Final = N_(
    "At the end of a round a player wins with {one} strongholds, allies with the number of their alliance: {win}. After"
    " round {rounds}: Sol, when nobody else stands in the Imperial Palace and Mecatol Power South; else Hacan, when it"
    " controls the Navy Base, Adminus Imperialis or the Spaceport; else who holds most strongholds. Xxcha wins instead,"
    " and alone, when it has foretold the winner and the round."
)

POWERS: Final = {
    "sol": N_(
        "Moves 3 spaces; deploys for nothing, but only in its home sectors; is immune to Sol Offensives, as its allies"
        " are, and may lift units out of them; loses only half of its units to the fleet; looks at the next Bombardment"
        " card."
    ),
    "lazax": N_(
        "Is paid for Strategy cards; has Mechanized units of strength 2; may capture a leader of whom it beats; may"
        " give allies influence for bidding."
    ),
    "hacan": N_(
        "Is paid for deployments and pays half itself; may relocate units anywhere for 1 influence each, as its allies"
        " may."
    ),
    "xxcha": N_(
        "Foretells the winner; follows deployments into the Galactic Council; turns units face down; commands opponents"
        " of its own and of allies to play or withhold a card; always receives charity."
    ),
    "jol-nar": N_(
        "Looks at Strategy cards before they are sold and at the next Influence card; asks opponents of its own and of"
        " allies for one part of their battle plan."
    ),
    "letnev": N_(
        "Keeps four traitors and may call them for allies; draws a card for each one it buys; may hold eight cards."
    ),
}
"""What each faction can do."""

CARDS: Final = {
    "energy-rifle": N_("Attack: kills the opposing leader unless there is an energy defence."),
    "x35-bio-weapon": N_("Attack: kills the opposing leader unless there is a bio defence."),
    "plasma-annihilator": N_(
        "Attack: kills the opposing leader through any defence; with an energy defence on either side nothing in the"
        " space survives."
    ),
    "energy-shield": N_("Defence against energy attacks."),
    "bio-filter": N_("Defence against bio attacks."),
    "stand-in-officer": N_("Committed in place of a leader, without strength; always discarded."),
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
"""What each Strategy card does."""


def entries() -> Iterator[Entry]:
    """All entries, with the figures of a table of six."""
    const = city(6)
    figures = {field.name: getattr(const.numbers, field.name) for field in fields(const.numbers)}
    for word, text in PHASES:
        yield Entry(f"{word}-phase", "phase", term(word), _(text).format_map(figures), _("document, 5"))
    win = ", ".join(map(str, const.win))
    text = _(VICTORY).format(one=const.win[0], win=win, rounds=const.numbers.rounds)
    yield Entry("victory", "topic", _("Victory"), text, _("document, 6"))
    for id, card in const.cards.items():
        text = f"{_(CARDS[id]).format_map(figures)} {_('Cards: {n}.').format(n=card.count)}"
        yield Entry(id, "card", term(id), text, card.confidence)
    for faction in const.factions:
        yield Entry(faction.id, "faction", term(faction.id), faction_text(const, faction), faction.confidence)
    for space in const.spaces:
        yield Entry(space.id, "space", term(space.id), space_text(space), space.confidence)


def faction_text(const: City, row: Faction) -> str:
    """A faction's powers, figures and leaders."""
    leaders = [const.leaders[at] for at in const.leaders_of[const.faction_index[row.id]]]
    figures = _("Influence at the start {influence}, free recruits {free}, hand limit {limit}, units {units}.").format(
        influence=row.influence, free=row.free_recruits, limit=row.hand_limit, units=row.units + row.mechanized
    )
    named = ", ".join(f"{term(leader.id)} {leader.strength}" for leader in leaders)
    return f"{_(POWERS[row.id])} {figures} {_('Leaders: {leaders}.').format(leaders=named)}"


def space_text(row: Space) -> str:
    """Sector, signs and roads of a space."""
    facts = [_("sector {n}").format(n=row.sector)] if row.sector else [_("in no sector, never bombarded, no battles")]
    facts += [_("stronghold")] if row.stronghold else []
    facts += [_("shielded")] if row.shielded else []
    facts += [_("control gives longer moves and more influence")] if row.transit else []
    roads = ", ".join(map(term, row.roads))
    return "; ".join([*facts, _("roads: {roads}").format(roads=roads)]) + "."
