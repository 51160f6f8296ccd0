"""Texts of Eclipse."""

from __future__ import annotations

from typing import Final

from client.texts import N_

EVENTS: Final[dict[str, str]] = {
    "build/built": N_("{seat} builds {piece} in sector {sector} for {materials} materials."),
    "diplomacy/declined": N_("{seat} declines diplomatic relations with {partner}."),
    "diplomacy/formed": N_("{seat} and {partner} form diplomatic relations."),
    "diplomacy/offered": N_("{seat} offers diplomatic relations to {partner}."),
    "diplomacy/returned-tile": N_("{seat} returns a reputation tile to make room for an ambassador."),
    "diplomacy/traitor": N_("{seat} breaks the relations with {partner} and takes the traitor card."),
    "influence/discs-gained": N_("{seat} gains influence discs: {discs}."),
    "research/artifacts": N_("{seat} takes for artifacts: money {money}, science {science}, materials {materials}."),
    "research/bought": N_("{seat} researches {tech} ({track}) for {science} science."),
    "research/new-technologies": N_("New technologies on the tray: {techs}."),
    "research/no-artifacts": N_("{seat} has no artifacts and takes nothing for them."),
    "research/no-place-for-portal": N_("{seat} has no sector for a warp portal."),
    "research/portal": N_("{seat} places a warp portal in sector {sector}."),
    "round/cleanup": N_("Cleanup of round {round}."),
    "score/final": N_("{seat}: {total} victory points, place {rank}."),
    "score/reputation": N_("{seat} shows reputation worth {value}."),
    "upgrade/placed": N_("{seat} places {part} on the {ship}, slot {slot}."),
    "upgrade/removed": N_("{seat} removes {part} from the {ship}, slot {slot}."),
    "upkeep/abandoned": N_("{seat} abandons sector {sector}."),
    "upkeep/eliminated": N_("{seat} is eliminated."),
    "upkeep/paid": N_("{seat} pays upkeep {upkeep}; now money {money}, science {science}, materials {materials}."),
}

REFUSALS: Final[dict[str, str]] = {
    "option/same-board": N_("{0} and {1} are two faces of one board."),
    "option/species-count": N_("{0} species are named for {1} seats."),
    "option/unknown-species": N_("there is no species “{0}”; known: {rest}"),
}

TERMS: Final[dict[str, str]] = {
    "money": N_("money"),
    "science": N_("science"),
    "materials": N_("materials"),
    "interceptor": N_("interceptor"),
    "cruiser": N_("cruiser"),
    "dreadnought": N_("dreadnought"),
    "starbase": N_("starbase"),
    "ancient": N_("Ancient"),
    "guardian": N_("Guardian"),
    "gcds": N_("Galactic Center Defense System"),
    "orbital": N_("orbital"),
    "monolith": N_("monolith"),
}
