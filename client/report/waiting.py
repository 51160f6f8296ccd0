# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of waiting, and votes, as far as the log shows them: its entries hold no times."""

from __future__ import annotations

from collections.abc import Iterator

from client.audit_chance import agreed_text, name_of
from client.texts import _
from p2p.lockstep.audit import Audit
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.step import read_claim
from p2p.wire.entry import Entry

__all__ = ["votes", "waiting"]

ABOUT: frozenset[str] = frozenset({"absent", "back", "gone", "leave", "moved", "seat"})
"""Kinds of votes about members that the others wait for or stop waiting for."""


def votes(found: Audit) -> Iterator[tuple[int, str, str]]:
    """Height, kind of vote, and its effect in words."""
    genesis = found.genesis
    assert genesis is not None
    for pact in found.pacts:
        yield pact.height, pact.kind, _("Agreed: {what}").format(what=agreed_text(genesis, pact))


def waiting(found: Audit, entries: tuple[Entry, ...]) -> list[tuple[int, str]]:
    """Height and text of claims that a member kept the table waiting, choices that the others opened, and members who
    were left out, given up or let in again."""
    genesis = found.genesis
    assert genesis is not None
    told = [(height, text) for height, kind, text in votes(found) if kind in ABOUT]
    for height, author, _opened in found.cards.forced:
        name = name_of(genesis, author)
        told.append((height, _("The others opened what {name} had chosen in secret.").format(name=name)))
    claimed = ((entry, _owing(entry)) for entry in entries)
    told += [(entry.height, _claim(genesis, entry, owing)) for entry, owing in claimed if owing]
    return sorted(told)


def _owing(entry: Entry) -> bytes:
    """The member that the author of a claim waited for; empty for other entries."""
    match entry.kind, entry.body:
        case "clock", [bytes() as owing]:
            return owing
    claim = read_claim(entry)
    return b"" if claim is None else claim[0]


def _claim(genesis: Genesis, entry: Entry, owing: bytes) -> str:
    sentence = _("{name} signed that {owing} kept the table waiting.")
    return sentence.format(name=name_of(genesis, entry.author), owing=name_of(genesis, owing))
