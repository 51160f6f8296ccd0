# SPDX-License-Identifier: GPL-3.0-or-later
"""Victory: strongholds, the special victories, the prediction, betrayal (rule document, 6; rulings of the end)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final

from engine.core.cards import Claim, Handle, Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.registry import Score
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Reveal, Together
from engine.rex.city_map import controls, faces, members, seat_of, turn_order
from engine.rex.effects import testimony_false
from engine.rex.hands import hand
from engine.rex.reasons import reasons
from engine.rex.state import CASUALTY, NOBODY, PHASES, Rex
from engine.rex.terms import BETRAYAL, NO, STOOD_IN
from engine.rex.words import record

__all__ = ["ENDINGS", "SEGMENTS", "betrays", "fits_betrayal", "scores", "special", "stronghold_winners", "strongholds"]

ENDINGS: Final = ("strongholds", "sol", "hacan", "xxcha", "betrayal", "most-strongholds")
SOL_SPACES: Final = ("imperial-palace", "mecatol-power-south")
HACAN_SPACES: Final = ("adminus-imperialis", "civilian-spaceport", "imperial-navy-base")


def strongholds(g: Rex, seat: int) -> int:
    """Return the number of strongholds that a seat controls, without demolished ones."""
    return sum(space in g.const.strongholds for space in controls(g, seat))


def stronghold_winners(g: Rex) -> tuple[int, ...]:
    """The player or alliance that controls enough strongholds for its size; the first in turn order."""
    for seat in turn_order(g):
        group = members(g, seat)
        if sum(strongholds(g, one) for one in group) >= g.const.win[len(group) - 1]:
            return group
    return ()


def special(g: Rex) -> tuple[str, tuple[int, ...]]:
    """Return the kind of victory after the last round without a stronghold victory, and its winners."""
    for id, won in (("sol", sol_holds(g)), ("hacan", hacan_holds(g))):
        if won:
            seat = seat_of(g, id)
            return id, members(g, seat) if g.table.options["shared-special-victory"] == "on" else (seat,)
    held = [strongholds(g, seat) for seat in range(g.table.seats)]
    return "most-strongholds", tuple(seat for seat, count in enumerate(held) if count == max(held))


def sol_holds(g: Rex) -> bool:
    """True for Sol's victory: only Sol has units in the Imperial Palace and in Mecatol Power South."""
    sol = seat_of(g, "sol")
    wanted = [g.const.space_index[id] for id in SOL_SPACES]
    return sol != NOBODY and not any(
        faces(g, other, space)
        for space in wanted
        if space not in g.const.demolished
        for other in range(g.table.seats)
        if other != sol
    )


def hacan_holds(g: Rex) -> bool:
    """Hacan's victory: it controls the Navy Base, Adminus Imperialis or the Spaceport."""
    hacan = seat_of(g, "hacan")
    return hacan != NOBODY and any(g.const.space_index[id] in controls(g, hacan) for id in HACAN_SPACES)


def end_round(g: Rex) -> None:
    """The token goes on clockwise; then the victory check."""
    g.round.first = (g.round.first + 1) % g.table.seats
    g.tell("round/token", seat=g.round.first)
    winners, kind = stronghold_winners(g), "strongholds"
    if not winners and g.round.number == g.const.numbers.rounds:
        kind, winners = special(g)
    g.then(["prophecy", kind, *winners] if winners else ["round"])


def prophecy(g: Rex, kind: str, *winners: int) -> Rule[None]:
    """Has Xxcha foreseen this winner in this round, it wins alone."""
    if g.round.prediction:
        handle = Handle("seal", g.round.prediction - 1)
        opened = yield from ask(Reveal((handle,), "sealed"))
        g.round.prediction, xxcha = 0, seat_of(g, "xxcha")
        if opened[handle] is None:
            g.tell("victory/not-opened", seat=xxcha)
        else:
            seat, number = opened[handle]
            g.tell("victory/predicted", seat=xxcha, winner=seat, number=number)
            if seat in winners and number == g.round.number:
                g.then(["finish", "xxcha", xxcha])
                return
    together = len(winners) > 1 and kind != "most-strongholds"  # a tie is shared, but is no victory of an alliance
    betrayal = together and g.table.options["betrayal"] == "on"
    g.then(["betrayal" if betrayal else "finish", kind, *winners])


# Betrayal


def more(count: Callable[[Rex, int], int]) -> Callable[[Rex, int], bool]:
    """The condition of having more of something than each ally."""

    def holds(g: Rex, seat: int) -> bool:
        return all(count(g, seat) > count(g, other) for other in members(g, seat) if other != seat)

    return holds


def _throne(g: Rex, seat: int) -> bool:
    return g.const.space_index["imperial-palace"] in controls(g, seat) and strongholds(g, seat) >= 2


def _all_units(g: Rex, seat: int) -> int:
    return sum(faces(g, seat, space) for space in range(len(g.const.spaces)))


def _living(g: Rex, seat: int) -> int:
    return -sum(g.leaders.status[at] == CASUALTY for at in g.const.leaders_of[g.seats.faction[seat]])


CONDITIONS: Final[Mapping[str, Callable[[Rex, int], bool]]] = MappingProxyType(
    {
        "path-of-peace": more(lambda g, seat: faces(g, seat, g.const.hub)),
        "cautious-command": more(_living),
        "massed-banners": more(_all_units),
        "deep-coffers": more(lambda g, seat: g.seats.influence[seat]),
        "secret-arsenal": more(lambda g, seat: len(g.seats.hand[seat])),
        "city-network": more(lambda g, seat: len(controls(g, seat))),
        "fortress-builder": more(strongholds),
        "throne-claimant": _throne,
    }
)
"""For each Betrayal card, the condition on which it may be shown."""


def betrays(g: Rex, seat: int, card: str) -> bool:
    """True if the condition of a Betrayal card is met."""
    return CONDITIONS[card](g, seat)


def fits_betrayal(g: Rex, handle: Handle, face: str) -> bool:
    """True if an opened Betrayal card's condition is met by its owner."""
    owner = next((seat for seat in range(g.table.seats) if g.seats.betrayal[seat] == handle.index + 1), NOBODY)
    return owner != NOBODY and face in CONDITIONS and betrays(g, owner, face)


@record
class Betray(Choose[str]):
    """Asks if the Betrayal card is shown, after the alliance has won."""

    seat: Seat

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        card = lens.get(Handle(BETRAYAL, g.seats.betrayal[self.seat] - 1)) if lens is not None else None
        if card in CONDITIONS and not betrays(g, self.seat, str(card)):
            return (NO,)
        return (NO, "reveal")

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        card = lens.get(Handle(BETRAYAL, g.seats.betrayal[self.seat] - 1)) if lens is not None else None
        why = Refusal("victory/condition-not-met", "", (str(card),))
        return reasons(("reveal",), self.options(g, lens), lambda _: why)

    def caretaker(self, g: Rex) -> str:
        return NO


def betrayal(g: Rex, kind: str, *winners: int) -> Rule[None]:
    """Winning allies may show Betrayal cards; the highest number wins alone."""
    asks = {Seat(seat): Betray(Seat(seat)) for seat in sorted(winners) if g.seats.betrayal[seat]}
    answers = yield from ask(Together(asks))
    shown = {seat: Handle(BETRAYAL, g.seats.betrayal[seat] - 1) for seat in asks if answers[seat] != NO}
    opened = yield from ask(Reveal(tuple(shown.values()), BETRAYAL))
    numbers = [(g.const.betrayal[opened[card]].number, seat) for seat, card in shown.items() if opened[card]]
    for seat, card in shown.items():
        if opened[card]:
            g.tell("victory/betrayal", seat=seat, card=opened[card], number=g.const.betrayal[opened[card]].number)
    if numbers:
        g.then(["finish", "betrayal", max(numbers)[1]])
    else:
        g.then(["finish", kind, *winners])


# The end


def finish(g: Rex, kind: str, *winners: int) -> Rule[None]:
    """End the game: open the hands and check the claims about them (ruling false-claim)."""
    cards = [card for seat in range(g.table.seats) for card in hand(g, seat)]
    claimed = [handles for *_, handles in claims(g)]
    handles = tuple(sorted({*cards, *(card for some in claimed for card in some)}))
    opened = yield from ask(Reveal(handles, "final"))
    leaving = {seat for _, seat in g.flow.notices}  # their cards are others than those they spoke of
    liars: list[int] = []
    for seat, code, held in claims(g):
        if seat not in leaving and testimony_false(code, [opened[card] for card in held]):
            claim, _, about = code.partition("/")
            g.tell("claim/false", seat=seat, claim=claim, about=about)
            liars.append(seat)
    for seat in sorted(set(winners).intersection(liars)):
        g.tell("claim/struck", seat=seat)
    g.round.ending, g.round.winners = kind, honest(g, winners, liars)
    g.round.phase = PHASES.index("over")
    for score in scores(g):
        g.tell("rex/result", seat=score.seat, strongholds=score.total, rank=score.rank)
    g.tell("victory/won", ending=kind, seats=tuple(g.round.winners))


def honest(g: Rex, winners: Sequence[int], liars: Collection[int]) -> list[int]:
    """Return the winners without a false claim; if there are none, those of the others that control the most
    strongholds."""
    true = sorted(seat for seat in winners if seat not in liars)
    others = [seat for seat in range(g.table.seats) if seat not in liars]
    if true or not liars or not others:
        return true
    most = max(strongholds(g, seat) for seat in others)
    return [seat for seat in others if strongholds(g, seat) == most]


def claims(g: Rex) -> list[tuple[int, str, tuple[Handle, ...]]]:
    """Seat, code and cards of every claim."""
    return [
        (
            int(row[1]),
            str(row[2]),
            tuple(Handle(str(deck), int(at)) for deck, at in zip(row[3::2], row[4::2], strict=True)),
        )
        for row in g.decks.claims
        if row[2] != STOOD_IN
    ]


def claims_held(g: Rex) -> list[Claim]:
    """What seats have said about hidden cards, as far as it can be checked (ruling false-claim)."""
    return [Claim(held, partial(_not_disproved, code)) for _, code, held in claims(g)]


def _not_disproved(code: str, faces: Sequence[str | None]) -> bool:
    return not testimony_false(code, faces)


def scores(g: Rex) -> tuple[Score, ...]:
    """Winners rank first; the others by the strongholds they control. Points are strongholds."""
    held = [strongholds(g, seat) for seat in range(g.table.seats)]
    keys = [(1, 0) if seat in g.round.winners else (0, held[seat]) for seat in range(g.table.seats)]
    return tuple(
        Score(Seat(seat), held[seat], (("strongholds", held[seat]),), 1 + sum(other > key for other in keys))
        for seat, key in enumerate(keys)
    )


SEGMENTS = {"end-round": end_round, "prophecy": prophecy, "betrayal": betrayal, "finish": finish}
