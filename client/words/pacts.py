# SPDX-License-Identifier: GPL-3.0-or-later
"""Pacts of the members of a table in words, and what one member does alone: leaving for good, and going on at a
table of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.system.texts import N_, _

_PACTS: Final[Mapping[str, str]] = {
    "absent": N_("go on without {out} (the stand-in plays; back at any time)"),
    "gone": N_("give up waiting for {out} for good"),
    "leave": N_("{out} left for good, by one signature; the seats fall to the rules, the hand to the decks"),
    "free": N_("wait no longer for the word of {out} on votes of a step that others have passed"),
    "back": N_("let {out} play again"),
    "moved": N_(
        "let {out} go on with a new key; what the old one signs from here on counts for nothing, and a stand-in gives "
        "what it owes now"
    ),
    "seat": N_("give a seat to somebody else"),
    "takeback": N_("take back {steps} steps: {lost}"),
    "without": N_("go on from step {at} without {out}, who cheated"),
    "repair": N_("read on from step {at}, where programs differed and agree now; every step that fits stays"),
    "end": N_("end the game here"),
}

_PASSED: Final = N_("pass the seat of {seat} on to {name}, if {seat} agrees")
_ONE_STEP: Final = N_("take back one step: {lost}")
_ACROSS: Final = N_("hidden things have been shown since; whoever saw them still knows them, and the log records that")
_SILENT: Final = N_("without {out}")
_HANDS: Final[Mapping[str, str]] = {
    "yes": N_("its hand stays"),
    "no": N_("cards that only it could read go back to the decks"),
}
_NO_STEP: Final = N_("take back to step {to}")


def templates() -> dict[str, str]:
    """By kind, what a pact that took effect did, in words with the fields out, at and to."""
    return {kind: _(text) for kind, text in {**_PACTS, "takeback": _NO_STEP}.items()}


def pact_text(kind: str, fields: Mapping[str, str]) -> str:
    """A pact in words. fields: those of out, at and to that it has. out: the names of members who are left out or come
    back. seat, name: the names of who gives a seat away and of who gets it. kept: "yes" or "no", whether the hand of
    who moves stays."""
    known = {"out": "?", "at": "?", "to": "?", **fields}
    if known.pop("across", ""):
        return f"{pact_text(kind, {name: text for name, text in fields.items() if name != 'across'})}; {_(_ACROSS)}"
    if kind == "moved" and "kept" in known:
        return f"{_(_PACTS[kind]).format_map(known)}; {_(_HANDS[known['kept']])}"
    if kind == "repair" and known["out"] not in ("", "?"):
        return f"{_(_PACTS[kind]).format_map(known)}; {_(_SILENT).format_map(known)}"
    if kind == "seat" and "name" in known:
        return _(_PASSED).format_map(known)
    if kind == "takeback" and known.get("steps", "0") in ("0", "1"):
        return _(_ONE_STEP if "steps" in known and known["lost"] else _NO_STEP).format_map({"lost": "", **known})
    return _(_PACTS[kind]).format_map(known) if kind in _PACTS else kind


def leaving_text() -> str:
    """What leaving for good will do; every screen says the same before and after."""
    return _(
        "That is final: one signature gives up all seats of this machine, those of its bots too. What you hold goes "
        "back to the decks, unseen, and the others play on without you, also one alone. To stop only for now, quit: "
        "the table stays and can be resumed."
    )


def left_text() -> str:
    """What it has done."""
    return _("You have left for good. You may watch how it goes on, or quit.")


def alone_text() -> str:
    """What going on alone will do."""
    return _(
        "You leave this table for now and go on at a new one, which names it: bots of this machine take the seats of "
        "the others. You keep what you know; all other hidden cards are drawn anew. Only you sign there, so it proves "
        "nothing about dice or cards and is no result of this table, which stays as it is."
    )
