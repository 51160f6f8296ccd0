# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of Rex: articles, with the figures of the game's content.

Many values of this game are reconstructions; each article of a table row states the confidence of its values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from client.games.rex.reference.cards import betrayal_text, influence_card_text, strategy_text
from client.games.rex.reference.sure import sure_text
from client.games.rex.wording import term
from client.system.texts import N_, _, ngettext
from client.words.reference import Article
from engine.core.registry import game
from engine.rex.catalog import City, city
from engine.rex.tables import Faction, Space

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
            " least 1 or passes for good; the highest bidder pays Lazax. Lazax pays its own bids to the bank, as"
            " everybody does where nobody plays Lazax. When nobody wants a card the phase is over."
        ),
    ),
    (
        "recruitment",
        N_(
            "Up to {recruit_most} units come back from the casualties: some for nothing, each other one for"
            " {recruit_price} influence; and one leader for its strength. Lazax: at most {mechanized_recruits}"
            " Mechanized unit in a turn."
        ),
    ),
    (
        "maneuvering",
        N_(
            "One group moves by roads: 2 spaces, 3 for Sol, {transit_move} for the controller of the Navy Base or the"
            " Spaceport. Then units deploy into one space for {deploy_price} influence each, {contested_price} beside"
            " enemies, paid to Hacan. Nothing enters, leaves or crosses the fleet's sector; nobody stops beside an"
            " ally. In the Galactic Council allies may meet, and a unit costs {deploy_price} beside enemies too."
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
            "A player who holds at most {charity_most} influence gains {charity}. Each unit takes up to {collect}"
            " influence from a space that its owner controls, {transit_collect} for the controller of the Navy Base or"
            " the Spaceport."
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

TOPICS: Final = (
    (
        "setup",
        N_("Setup"),
        N_(
            "Everybody draws a Bombardment card; the lowest begins, who ties for it draws again. Then come factions"
            " with their units, leaders and influence, and traitors. The two neighbours of the first player dial 0 to"
            " {dial_most} in secret: the fleet begins in the sector of the difference, at least 1, at most {sectors}."
            " Strategy cards are dealt, units are placed in turn order, Sol before Xxcha, which then makes its"
            " prediction. With 3 or 4 players a location is demolished; with Betrayal cards everybody gets one."
        ),
        N_("document, 3"),
    ),
    (
        "traitors",
        N_("Traitors"),
        N_(
            "Everybody is dealt {traitors_dealt} leaders of the factions in play and keeps 1 of them; Letnev keeps all,"
            " and may once show {own_leaders_to_redraw} of its own leaders among them for new ones. When the opponent's"
            " leader in a battle is one's traitor, one may show the card and wins without any loss; Letnev may do so"
            " for an ally too. When both leaders are traitors, both sides lose all that they have there. A shown"
            " traitor is out of play."
        ),
        N_("document, 3 and 5"),
    ),
    (
        "alliances",
        N_("Alliances"),
        N_(
            "They form and break in a Temporary Ceasefire only; all members agree to a new one, and leaving needs no"
            " consent. The largest, by seats: {largest}. Allies do not fight, and share no space but the Galactic"
            " Council: when they join, the later one in turn order takes its units back there. Together they need more"
            " strongholds. Each faction helps its allies: Sol against Offensives, Lazax with influence before their"
            " bids, Hacan with relocation, Xxcha with commands, Jol-Nar with questions, Letnev with traitors."
        ),
        N_("document, 3, 5 and 7"),
    ),
    (
        "demolished-location",
        N_("Demolished Location"),
        N_(
            "A token that takes a space's worth, by seats: {demolished}. Units enter and hold the space as before, but"
            " it is no stronghold, and Sol's victory does not ask for it."
        ),
        N_("document, 3; ruling demolished"),
    ),
    (
        "betrayal",
        N_("Betrayal"),
        N_(
            "An option of the table. Everybody is dealt a Betrayal card at the start. When an alliance has won, each"
            " member whose card's condition is true may show it; the highest number shown wins alone. It never takes a"
            " victory from Xxcha's prediction, nor from a player without allies. The cards: {betrayal}."
        ),
        N_("document, 6; ruling betrayal"),
    ),
    (
        "strategy-cards",
        N_("Strategy cards"),
        N_(
            "Attack and defence cards are announced and played in the plan of a battle. The others are played at the"
            " beginning of a phase, before the plans of an own battle or before an own deployment, and only where they"
            " would do something. A card is opened when it is played; one that is not what was said is discarded"
            " without effect."
        ),
        N_("document, 2, 5 and 6; rulings windows, interference and testimony"),
    ),
    (
        "locations",
        N_("Locations"),
        N_(
            "A Location card puts influence into two spaces; nothing under the fleet. A Sol Offensive hits both spaces"
            " of the latest card, and Hidden Cache fills one of them again. The cards: {locations}."
        ),
        N_("document, 5"),
    ),
    (
        "victory",
        N_("Victory"),
        N_(
            "At the end of a round a player wins with {one} strongholds, allies with the number of their alliance:"
            " {win}. After round {rounds}: Sol, when nobody else stands in the Imperial Palace and Mecatol Power South;"
            " else Hacan, when it controls the Navy Base, Adminus Imperialis or the Spaceport; else who holds most"
            " strongholds. A demolished location counts for none of these. Xxcha wins instead, and alone, when it has"
            " foretold the winner and the round. When allies win otherwise, and the table plays with Betrayal cards, a"
            " member that shows one wins alone."
        ),
        N_("document, 6"),
    ),
)
"""Word, title, text and source of the topics."""

POWERS: Final = {
    "sol": N_(
        "Moves 3 spaces; deploys for nothing, but only in its home sectors; is immune to Sol Offensives, as its allies"
        " are, and may lift units out of them; loses only half of its units to the fleet; looks at the next Bombardment"
        " card."
    ),
    "lazax": N_(
        "Is paid for Strategy cards, but pays its own bids to the bank; has Mechanized units of strength 2, of which "
        "one a turn may come back by recruiting; may capture a leader of a player it beats; may give allies influence "
        "for bidding."
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
"""The powers of each faction."""


def entries() -> Iterator[Article]:
    """All entries, with the figures of a table of six."""
    const = city(6)
    figures: dict[str, object] = {field.name: getattr(const.numbers, field.name) for field in fields(const.numbers)}
    for word, text in PHASES:
        title = term(word)
        yield Article(
            f"{word}-phase", "phase", title[:1].upper() + title[1:], _(text).format_map(figures), _("document, 5")
        )
    figures |= _lists(const)
    for word, title, text, source in TOPICS:
        yield Article(word, "topic", _(title), _(text).format_map(figures), _(source))
    for id, card in const.cards.items():
        text = f"{strategy_text(const, id)} {_('Cards: {n}.').format(n=card.count)}"
        yield Article(id, "card", term(id), text, sure_text(card.confidence))
    for id, betrayal in const.betrayal.items():
        text = _("Betrayal card {n}, shown when an alliance has won: {condition}").format(
            n=betrayal.number, condition=betrayal_text(id)
        )
        yield Article(
            id, "card", term(id), text, f"{_('document, 6; ruling betrayal')}; {sure_text(betrayal.confidence)}"
        )
    for id, influence in const.influence.items():
        text = _("Influence card: {what}.").format(what=influence_card_text(const, influence))
        text += f" {_('Cards: {n}.').format(n=influence.count)}"
        yield Article(id, "card", term(id), text, f"{_('document, 5')}; {sure_text(influence.confidence)}")
    for faction in const.factions:
        source = f"{_('document, 5 and 7')}; {sure_text(faction.confidence)}"
        yield Article(faction.id, "faction", term(faction.id), faction_text(const, faction), source)
    for space in const.spaces:
        yield Article(space.id, "space", term(space.id), space_text(space), sure_text(space.confidence))


def _lists(const: City) -> dict[str, object]:
    """The lists in topics: values by number of seats, and cards."""
    cities = {seats: city(seats) for seats in game("rex").seats}
    demolished = {
        seats: ", ".join(term(at.spaces[space].id) for space in sorted(at.demolished)) for seats, at in cities.items()
    }
    return {
        "one": const.win[0],
        "win": ", ".join(map(str, const.win)),
        "largest": ", ".join(f"{seats}: {at.largest_alliance}" for seats, at in cities.items()),
        "demolished": ", ".join(f"{seats}: {spaces}" for seats, spaces in demolished.items() if spaces),
        "betrayal": ", ".join(f"{row.number} {term(id)}" for id, row in const.betrayal.items()),
        "locations": ". ".join(
            f"{term(id)}: {influence_card_text(const, const.influence[id])}" for id in const.locations
        ),
    }


def faction_text(const: City, row: Faction) -> str:
    """A faction's powers, figures and leaders."""
    leaders = [const.leaders[at] for at in const.leaders_of[const.faction_index[row.id]]]
    figures = _("Influence at the start {influence}, free recruits {free}, hand limit {limit}, units {units}.").format(
        influence=row.influence, free=row.free_recruits, limit=row.hand_limit, units=row.units + row.mechanized
    )
    named = ", ".join(f"{term(leader.id)} {leader.strength}" for leader in leaders)
    return f"{_(POWERS[row.id])} {_start(row)} {figures} {_('Leaders: {leaders}.').format(leaders=named)}"


def _start(row: Faction) -> str:
    """The starting spaces of a faction, with the number of units."""
    if row.home_sectors:
        first, *_between, last = row.home_sectors
        return _("Begins with {n} units in sectors {first} to {last}, placed as it likes.").format(
            n=row.start_units, first=first, last=last
        )
    if not row.start_units:
        return _("Begins without units on the map.")
    return ngettext("Begins with {n} unit in {space}.", "Begins with {n} units in {space}.", row.start_units).format(
        n=row.start_units, space=term(row.start_space)
    )


def space_text(row: Space) -> str:
    """Sector, signs and roads of a space."""
    facts = [_("sector {n}").format(n=row.sector)] if row.sector else [_("in no sector, never bombarded, no battles")]
    facts += [_("stronghold")] if row.stronghold else []
    facts += [_("shielded")] if row.shielded else []
    facts += [_("control gives longer moves and more influence")] if row.transit else []
    roads = ", ".join(map(term, row.roads))
    return "; ".join([*facts, _("roads: {roads}").format(roads=roads)]) + "."
