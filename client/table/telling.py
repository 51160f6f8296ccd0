# SPDX-License-Identifier: GPL-3.0-or-later
"""Which notice tells the player of an effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from client.system.names import seat_name
from client.table import notices
from engine.core.dataclass import replace
from p2p.lockstep.effects import (
    Agreed,
    Claimed,
    Diverged,
    Effect,
    Over,
    Proposed,
    Refused,
    Said,
    Split,
    Stopped,
    agreed,
)
from p2p.lockstep.follower import Follower
from p2p.lockstep.pacts import Pact
from p2p.lockstep.position import Position

Parties = Callable[[bytes], notices.Party]
"""Returns a member as notices name it, by its table key."""


def notice_of(lockstep: Follower, party: Parties, effect: Effect) -> notices.TableNotice | None:
    """Return the notice of an effect, None for one that players are not told of in this way."""
    match effect:
        case Proposed(pact, author):
            found = _vote(party, notices.VoteStage.OPEN, pact, party(author))
            left = lockstep.ballots.parting(pact)
            return replace(found, kind="leave") if left and left >= {*pact.about} else found
        case Refused(pact, author, reason):
            return _vote(party, notices.VoteStage.REFUSED, pact, party(author), reason)
        case Agreed(pact, about, left):
            kind = "leave" if left else pact.kind
            return notices.VoteNotice(notices.VoteStage.AGREED, kind, pact.at, tuple(map(party, about)), pact.terms)
        case Said(author, text):
            return notices.ChatSaid(*speaker(lockstep.position, author, party(author).name, text))
        case Claimed(author, owing):
            return notices.Owes(party(owing), party(author))
        case Stopped(code):
            return notices.PeerStopped(code)
        case Over(code):
            return notices.GameOver(code)
        case Split(height, heads):
            return notices.SplitFound(height, tuple(party(author) for author, _ in heads))
        case Diverged(entry):
            member, back = party(entry.author), lockstep.repairable(entry.height)
            return notices.StateDiverged(member, entry.height, "own" if entry.author == lockstep.me else "", back)
    return None


def passed(lockstep: Follower, party: Parties) -> Iterator[tuple[bytes, notices.VoteNotice]]:
    """Yield the pacts that take effect when the open step ends, by id, while that waits for somebody."""
    position = lockstep.position
    for pact in () if position.ready else position.effective:
        for each in agreed(pact, position.parting):
            found = notice_of(lockstep, party, each)
            if isinstance(found, notices.VoteNotice):
                yield pact.id, replace(found, stage=notices.VoteStage.PASSED, at=position.height)


def _vote(
    party: Parties, stage: notices.VoteStage, pact: Pact, by: notices.Party | None = None, reason: str = ""
) -> notices.VoteNotice:
    out = tuple(map(party, pact.about))
    return notices.VoteNotice(stage, pact.kind, pact.at, out, pact.terms, by, reason)


def speaker(position: Position, author: bytes, name: str, text: str | None) -> tuple[str, str | None]:
    """Whose words a chat message has, safe to show, and the words: a bot's if they begin with the name of a bot of the
    author and a colon, for it has no key of its own; else the author's. name: that of the author. text: None if it is
    missing."""
    rows, mine = position.membership.rows, [seat for seat, key in position.owner.items() if key == author]
    for bot in (seat_name(rows[seat]) for seat in mine if rows[seat].level is not None):
        if text is not None and text.startswith(f"{bot}: "):
            return bot, text.removeprefix(f"{bot}: ")
    return name, text
