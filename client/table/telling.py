# SPDX-License-Identifier: GPL-3.0-or-later
"""Which notice tells the player of an effect."""

from __future__ import annotations

from collections.abc import Callable

from client.table import notices
from p2p.lockstep.effects import Agreed, Claimed, Diverged, Effect, Over, Proposed, Refused, Said, Split, Stopped
from p2p.lockstep.follower import Follower
from p2p.lockstep.pacts import Pact

Names = Callable[[bytes], str]
"""Returns the name of a member, by its table key."""


def notice_of(lockstep: Follower, name: Names, effect: Effect) -> notices.TableNotice | None:
    """Return the notice of an effect, None for one that players are not told of in this way."""
    match effect:
        case Proposed(pact, author):
            return _vote(name, notices.VoteStage.OPEN, pact, name(author))
        case Refused(pact, author, reason):
            return _vote(name, notices.VoteStage.REFUSED, pact, name(author), reason)
        case Agreed(pact):
            return _vote(name, notices.VoteStage.AGREED, pact)
        case Said(author, text):
            return notices.ChatSaid(name(author), text)
        case Claimed(author, owing):
            return notices.Owes(name(owing), name(author))
        case Stopped(code):
            return notices.PeerStopped(code)
        case Over(code):
            return notices.GameOver(code)
        case Split(height, heads):
            return notices.SplitFound(height, tuple(name(author) for author, _ in heads))
        case Diverged(entry):
            named, back = name(entry.author), lockstep.repairable(entry.height)
            return notices.StateDiverged(named, entry.height, "own" if entry.author == lockstep.me else "", back)
    return None


def _vote(name: Names, stage: notices.VoteStage, pact: Pact, author: str = "", reason: str = "") -> notices.VoteNotice:
    out = tuple(map(name, pact.about))
    return notices.VoteNotice(stage, pact.kind, pact.at, out, pact.terms, author, reason)
