"""What if: the odds of a battle that does not stand on the map, between ships as they are built at this table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from client.games.eclipse.show.battle import battle
from client.games.eclipse.show.odds import MOST, Groups, attacker_wins, groups_of, percent
from client.games.eclipse.show.words import ships_text_of
from client.games.eclipse.wording import term
from client.show.pictures import Frame
from client.show.styled import Line, line, wrapped
from client.texts import _
from engine.core.dataclass import dataclass
from engine.eclipse.state import NOBODY
from engine.eclipse.terms import PIECES, PLAYER_SHIPS, SHIPS

__all__ = ["whatif"]

AGAINST = ("vs", "v", "against", "contra")


class UnreadableError(Exception):
    """What was typed is no side of a battle; its text says why."""


@dataclass(slots=True)
class Side:
    """Ships of one owner by type, each undamaged."""

    owner: int
    ships: list[tuple[int, int]] = field(default_factory=list)


def whatif(frame: Frame) -> Sequence[Line]:
    """The odds of “2 cruiser vs ancient”, or of the battles that stand, or of the sector of that number."""
    words = [word.strip(",").lower() for word in frame.words]
    at = next((at for at, word in enumerate(words) if word in AGAINST), None)
    if at is None:
        return battle(frame) if len(words) < 2 else [line(_help())]
    try:
        sides = _side(frame, words[:at], attacking=True), _side(frame, words[at + 1 :], attacking=False)
    except UnreadableError as error:
        return [line(part) for text in (str(error), _help()) for part in wrapped(text, frame.width, "  ")]
    if sum(len(side.ships) for side in sides) > MOST:
        return [line(_("That takes too long with more than {n} ships.").format(n=MOST))]
    mine, theirs = (_groups(frame, side) for side in sides)
    wins = attacker_wins(frame.g, mine, theirs)
    text = _("{attacker} ({ships}) attacks {defender} ({foes}): wins {chance}, loses {other}.").format(
        attacker=_owner(frame, sides[0]),
        ships=ships_text_of([kind for kind, _damage in sides[0].ships]),
        defender=_owner(frame, sides[1]),
        foes=ships_text_of([kind for kind, _damage in sides[1].ships]),
        chance=percent(wins),
        other=percent(1 - wins),
    )
    return [line(part) for part in wrapped(text, frame.width, "  ")]


def _help() -> str:
    return _("For example: odds 2 cruiser vs ancient, or odds cruiser vs B 2 interceptor. A letter says whose ships.")


def _side(frame: Frame, words: Sequence[str], *, attacking: bool) -> Side:
    """Ships in words: perhaps a seat, then types with a number before each that is more than one."""
    seat = frame.seat(words[0]) if words and len(words) > 1 and not _kinds(words[0]) else None
    side = Side(frame.view.seat if seat is None and attacking else NOBODY if seat is None else seat)
    count = 1
    for word in words if seat is None else words[1:]:
        if word.isascii() and word.isdecimal() and len(word) < 3:
            count = int(word)
            continue
        kinds = _kinds(word)
        if len(kinds) != 1:
            raise UnreadableError(_("“{word}” is no type of ship.").format(word=word))
        if count > MOST:
            raise UnreadableError(_("That takes too long with more than {n} ships.").format(n=MOST))
        side.ships += [(kinds[0], 0)] * count
        count = 1
    if not side.ships:
        raise UnreadableError(_("A battle has ships on both sides."))
    neutral = {kind not in PLAYER_SHIPS for kind, _damage in side.ships}
    if neutral == {True}:
        side.owner = NOBODY
    elif neutral == {True, False}:
        raise UnreadableError(_("Ships of players and of nobody do not fight side by side."))
    elif side.owner == NOBODY:
        raise UnreadableError(_("Whose ships? A letter or name goes before them."))
    return side


def _kinds(word: str) -> list[int]:
    """The types of ship whose id or name begins like a word; a plural counts."""
    wanted = word.removesuffix("s") if len(word) > 3 else word
    return [
        kind
        for kind in SHIPS
        if len(wanted) > 1 and (PIECES[kind].startswith(wanted) or term(PIECES[kind]).lower().startswith(wanted))
    ]


def _groups(frame: Frame, side: Side) -> Groups:
    return groups_of(frame.g, side.owner, side.ships)


def _owner(frame: Frame, side: Side) -> str:
    return frame.names[side.owner] if side.owner >= 0 else _("the neutral fleet")
