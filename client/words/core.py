# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts common to all games: answers, notation, tables and dump files."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_, NN_

EVENTS: Final[dict[str, str]] = {
    "core/foul": N_("What was opened did not fit its play ({play}): it counts for nothing."),
    "score/final": NN_(
        "{seat}: {total} victory point, place {rank}.", "{seat}: {total} victory points, place {rank}.", "total"
    ),
}

REFUSALS: Final[dict[str, str]] = {
    "answer/incomplete": N_("This answer lacks something."),
    "answer/not-an-option": N_("That is not one of the options."),
    "answer/not-asked": N_("This seat is not asked anything now."),
    "answer/not-staged": N_("This answer has to be a list of steps."),
    "answer/sealed": N_("This choice is secret: it is sealed first."),
    "batch/empty": N_("There is no answer in it."),
    "batch/too-long": N_("Others have to speak before answer {path}."),
    "dump/damaged": N_("The saved position is damaged: {all}"),
    "dump/digest": N_("The saved position does not have the digest it claims."),
    "dump/version": N_("The saved position was written by another version ({all})."),
    "game/over": N_("The game is over."),
    "log/digest": N_("{path}: the position differs from the recorded one."),
    "log/illegal": N_("{path}: not legal: {all}"),
    "log/rules": N_("The record is of other rules: {0} instead of {1}."),
    "log/scores": N_("The scores differ: {0} instead of {1}."),
    "log/unfinished": N_("The record ends before the game does."),
    "notation/ambiguous": N_("“{0}” can mean: {rest}"),
    "notation/incomplete": N_("Then one of: {all}"),
    "notation/not-now": N_("That is not possible now."),
    "notation/number": N_("There is no option {0}: they go up to {1}."),
    "notation/too-long": N_("“{0}” is too much: the answer is complete before it."),
    "notation/unknown": N_("“{0}” is not among: {rest}"),
    "notice/seat": N_("There is no seat {0}."),
    "outcome/card": N_("Card {0} {1} cannot be opened like that."),
    "outcome/card-count": NN_("It needs {0} card.", "It needs {0} cards.", "0"),
    "outcome/dice-count": NN_("It needs {0} die.", "It needs {0} dice.", "0"),
    "outcome/die": N_("A die of {0} sides does not show that."),
    "outcome/not-asked": N_("No dice or cards are waited for."),
    "outcome/not-empty": N_("Nothing can be told about these cards."),
    "seal/unreadable": N_("The sealed choice cannot be read."),
}

TERMS: Final[dict[str, str]] = {
    "nobody": N_("nobody"),
    "title/draws": N_("Draws"),
    "title/draws=sealed": N_("sealed, nobody sees them"),
    "title/draws=open": N_("open in the log"),
    "title/=on": N_("yes"),
    "title/=off": N_("no"),
    "option/draws": N_(
        "How cards are drawn: sealed, so that nobody sees a hidden one, all others together included; or open: then the"
        " log shows every face to whoever looks."
    ),
}
