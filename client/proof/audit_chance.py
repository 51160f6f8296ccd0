# SPDX-License-Identifier: GPL-3.0-or-later
"""Dice, cards and secret choices of a judged game, as text for people."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from client.system.names import member_name, shown
from client.system.texts import N_, _, ngettext
from client.words.pacts import pact_text
from client.words.rolls import purpose_text
from p2p.lockstep.account import CardReport, PactReport, RollPart, RollReport
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.undone import Undone
from p2p.wire.codec import Value

WIDTH: Final = 78
LETTERS: Final = 4
"""Letters of a commitment or seed in the table for people; programs get all of it."""


def name_of(genesis: Genesis, key: bytes) -> str:
    """A member's name, or the start of a stranger's key."""
    member = genesis.member(key)
    return key.hex()[:8] if member is None else member_name(member.rows)


def agreed_text(genesis: Genesis, pact: PactReport) -> str:
    """What a pact of the log does, in words."""
    names = ", ".join(name_of(genesis, key) for key in pact.members)
    return pact_text(pact.kind, {"out": names, "at": str(pact.height), "to": str(pact.to)})


UNDONE: Final = {
    "choice": N_("{who} chose {value}"),
    "roll": N_("rolled {value}"),
    "shuffle": N_("shuffled the deck {value}"),
    "opening": N_("opened {value}"),
    "seed": N_("{who} opened a seed: {value}"),
    "more": N_("more, which would take too long to read again"),
}
"""What a vote undid, by its kind."""
UNDONE_BY: Final = N_("{what}; undone at step {at} by the votes of {voters}")


def undone_lines(genesis: Genesis, undone: Sequence[Undone]) -> list[str]:
    """A row for each choice, roll or opening that a vote has undone: its value, the vote and the voters."""
    return [wrapped(f"{each.said.height:>6}  ", undone_text(genesis, each)) for each in undone]


def undone_text(genesis: Genesis, each: Undone) -> str:
    """A choice, roll or opening that a vote has undone, in a sentence."""
    said, voters = each.said, ", ".join(name_of(genesis, key) for key in each.voters)
    who = name_of(genesis, said.who) if said.who else ""
    what = _(UNDONE[said.what]).format(who=who, value=value_text(said.value))
    return _(UNDONE_BY).format(what=what, at=each.at, voters=voters)


def value_text(value: Value) -> str:
    """A value of the log in a few characters, as the page of a report shows it."""
    match value:
        case None:
            return "–"
        case bool():
            return str(value).lower()
        case bytes():
            return value.hex()[:LETTERS]
        case list():
            return " ".join(map(value_text, value))
        case dict():
            return " ".join(f"{name}: {value_text(each)}" for name, each in value.items())
    return shown(str(value))


def dice_lines(genesis: Genesis, rolls: Sequence[RollReport]) -> list[str]:
    """Two rows for each roll: its purpose and the faces, then the first letters of each contributor's commitment and
    seed."""
    lines = [_("Rolls: purpose and faces; then each seat's commitment>seed, cut short")]
    if any(roll.lifted for roll in rolls):
        lines.append(_("(every commitment is older than its roll; * lifted the lock of that roll)"))
    for roll in rolls:
        words = " ".join([f"{purpose_text(roll.tag)}:", _faces(roll), *([] if roll.ok else [_("(no seed)")])])
        lines.append(wrapped(f"{roll.height:>6}  ", words))
        parts = " ".join(_part(genesis, roll, part) for part in roll.parts)
        lifted = ", ".join(name_of(genesis, member) for member in roll.lifted)
        lines.append(wrapped(" " * 6, parts or _("no seeds: the lock, lifted by {names}").format(names=lifted)))
    return lines


def _part(genesis: Genesis, roll: RollReport, part: RollPart) -> str:
    """`0*3fa9>47fe`: seat, whether it lifted the lock, commitment, seed."""
    member = genesis.member(part.member)
    seats = part.member.hex()[:LETTERS] if member is None else "+".join(map(str, member.seats))
    opened = _("absent") if part.seed is None else part.seed.hex()[:LETTERS]
    return f"{seats}{'*' if part.member in roll.lifted else ':'}{part.committed.hex()[:LETTERS]}>{opened}"


def _faces(roll: RollReport) -> str:
    """`4 2 of 6 sides`, or face/sides for each die if the sides differ."""
    if len(set(roll.sides)) == 1:
        faces = " ".join(map(str, roll.faces))
        return ngettext("{faces}  (a die of {sides})", "{faces}  (dice of {sides})", len(roll.faces)).format(
            faces=faces, sides=roll.sides[0]
        )
    return " ".join(f"{face}/{sides}" for face, sides in zip(roll.faces, roll.sides, strict=True))


def card_lines(genesis: Genesis, cards: CardReport) -> list[str]:
    """Face-down cards and secret choices in a few lines; empty if there were none."""
    checked = cards.entries
    lines: list[str] = []
    if checked.get("share") or checked.get("shuffle"):
        lines += ["", _("Face-down cards, sealed by all members")]
        lines.append(wrapped("  ", _listed(cards.shuffles, cards.deals, cards.peeks)))
        proofs = {
            "shuffle": N_("shuffles"),
            "remask": N_("cards masked again"),
            "tag": N_("blindings"),
            "share": N_("shares"),
        }
        told = [f"{checked[kind]} {_(word)}" for kind, word in proofs.items() if checked.get(kind)]
        lines.append(wrapped("  ", _("each with its proof, checked: {what}").format(what=", ".join(told))))
        for height, deck in cards.anew:
            lines.append(
                wrapped(
                    "  ",
                    _("step {height}: {deck} dealt again, because a member was gone").format(height=height, deck=deck),
                )
            )
    if cards.seals:
        made, opened = checked.get("seal", 0), checked.get("reveal", 0)
        text = ngettext("{n} secret choice", "{n} secret choices", made).format(n=made)
        sentence = _("{choices}, fixed before any was opened; openings by their authors: {opened}")
        lines += ["", wrapped("", sentence.format(choices=text, opened=opened))]
        for height, author, fits in cards.forced:
            line = (
                _("step {height}: {name}'s was opened by the others")
                if fits
                else _("step {height}: {name}'s could not be opened: the fallback counts")
            )
            lines.append(wrapped("  ", line.format(height=height, name=name_of(genesis, author))))
    if cards.void:
        text = ngettext(
            "{n} message does not count: a pact had ended its step, or left its author out.",
            "{n} messages do not count: a pact had ended their step, or left their author out.",
            cards.void,
        )
        lines += ["", wrapped("", text.format(n=cards.void))]
    return lines


def _listed(shuffles: int, deals: int, peeks: int) -> str:
    told = [
        (shuffles, ngettext("{n} shuffle", "{n} shuffles", shuffles)),
        (deals, ngettext("{n} deal", "{n} deals", deals)),
        (peeks, ngettext("{n} peek", "{n} peeks", peeks)),
    ]
    return ", ".join(text.format(n=count) for count, text in told if count)


def wrapped(mark: str, text: str) -> str:
    """A text in lines of WIDTH columns after a mark."""
    return textwrap.fill(text, WIDTH, initial_indent=mark, subsequent_indent=" " * len(mark), break_on_hyphens=False)
