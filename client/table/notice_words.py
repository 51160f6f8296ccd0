# SPDX-License-Identifier: GPL-3.0-or-later
"""Notices of a table and proposals, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from client.system.names import shown
from client.system.texts import N_, NN_, _, counted
from client.table.notices import (
    BotFailed,
    ChatSaid,
    DiskFull,
    DiskReady,
    DivergenceFound,
    EndUnseen,
    FaultProven,
    GameOver,
    HistoryRewound,
    LinkChange,
    LinkChanged,
    MoveAsked,
    OthersHeard,
    Owes,
    OwnFeedConfirmed,
    Party,
    PeerStopped,
    Restoring,
    SplitFound,
    StateDiverged,
    StatesAgree,
    TableNotice,
    VoteNotice,
    VoteStage,
    logged,
)
from client.words import refusal_text
from client.words.pacts import pact_text
from client.words.proof import problem_text
from client.words.ways import DO
from engine.core.errors import Refusal

_LINKS: Final[Mapping[LinkChange, str]] = {
    LinkChange.UP: N_("{name} is connected."),
    LinkChange.DOWN: N_("The connection to {name} is lost; trying again …"),
    LinkChange.LEFT: N_("{name} has left the table; it goes on when {name} resumes it."),
    LinkChange.FINISHED: N_(
        "{name} has ended the game and left. If you lack something, it comes when {name} runs starlock again, best to "
        "resume this table: starlock resume"
    ),
    LinkChange.ALONE: N_(
        "Nobody is in reach: {name}. If they have ended the game already, the end comes when one of them runs "
        "starlock again, best to resume this table: starlock resume"
    ),
}

_VOTES: Final[Mapping[VoteStage, str]] = {
    VoteStage.OPEN: N_("{name} proposes: {what}"),
    VoteStage.REFUSED: N_("{name} refuses: {what} ({reason})"),
    VoteStage.PASSED: N_("Agreed, and it counts as soon as step {height} ends: {what}"),
    VoteStage.AGREED: N_("Agreed: {what}"),
}

_NOTICES: Final[Mapping[type, str]] = {
    EndUnseen: N_(
        "As far as is known here, {name} has not seen the end yet; waiting for {name} … You may leave at any time: "
        "whatever starlock does here next, it passes the end on to {name}."
    ),
    ChatSaid: N_("{name}: {text}"),
    Owes: N_("{says} says that {name} keeps the table waiting."),
    FaultProven: N_(
        "{name} broke the protocol: {what} To go on without: absent {name}. "
        "Prove it to others with: starlock verify TABLE --evidence FOLDER"
    ),
    StateDiverged: N_(
        "{name}'s program computes another state since step {height}: the engines differ, nobody's fault."
    ),
    StatesAgree: N_("{name}'s program and this one agree again."),
    DivergenceFound: NN_(
        "It differs in {path}: {mine} here, {theirs} there ({count} place). Report: {file}",
        "It differs in {path}: {mine} here, {theirs} there ({count} places). Report: {file}",
        "count",
    ),
    BotFailed: N_(
        "{name} gave no answer at step {height} ({why}): a stand-in answered for it. It is asked again at its "
        "next turn."
    ),
    SplitFound: N_("The histories differ at step {height}: {names}"),
    HistoryRewound: N_("Step {height} and what followed is played again: so it was agreed."),
    DiskFull: N_("The disk of {path} is full. The game waits; make room, and it goes on. Nothing is lost."),
    DiskReady: N_("There is room on the disk again."),
    Restoring: N_("Reading the table's log again: {done} of {total} entries."),
    GameOver: N_("The game is over."),
    MoveAsked: N_(
        "Asked {names} to let you go on with a new key. They see what that means and vote; until then nothing is sent."
    ),
    OwnFeedConfirmed: N_("This counts as your newest copy of the table: you can play."),
}

_PAIR_FAULT: Final = N_(
    "{name} broke the protocol: {what} Between two nobody can be left out. To go on alone: {do:alone}. "
    "Prove it to others with: starlock verify TABLE --evidence FOLDER"
)
_DIVERGED: Final[Mapping[str, str]] = {
    "own": N_(
        "Your step {height} was signed over another state than this program computes now: by another version, or by a "
        "program that computed wrongly."
    ),
    "unknown": N_(
        "{name}'s program computes another state since step {height}; its values cannot be compared with those here."
    ),
}
_SAME: Final = N_(
    "Nothing differs when both programs play the log again: one of them computed wrongly once. Report: {file}"
)

_RECOVERED: Final = NN_(
    "This copy was older; your {recovered} newer entry has come back from the others.",
    "This copy was older; your {recovered} newer entries have come back from the others.",
    "recovered",
)

_STOPPED: Final[Mapping[str, str]] = {
    "lockstep/older-copy": N_("This is an older copy of the table: waiting for somebody who holds your newer entries."),
    "lockstep/unconfirmed": N_(
        "Nothing is sent yet: another player's program has to confirm that this is your newest copy of the table. "
        "Waiting for one. If none can be reached: {do:newest}."
    ),
    "lockstep/elsewhere": N_(
        "You play this table in another place now, from a copy of this home: this one watches until that one leaves."
    ),
    "lockstep/own-fault": N_("This program has broken the protocol, or a copy of this home has: it only watches now."),
    "lockstep/twin": N_("You play this table on another machine too: this one only watches now."),
    "lockstep/secret-lost": N_("A secret of yours is missing in the store: this program only watches now."),
    "lockstep/left-out": N_(
        "The others went on without you: a stand-in answers for you. To be let in again: {do:back}."
    ),
    "lockstep/left": N_("You have left this table for good: this program only watches now."),
    "lockstep/given-up": N_("The others have given you up for good: a stand-in plays your seat to the end."),
    "lockstep/moved": N_("You go on with another key, on another machine: this copy of your home only watches."),
}


def notice_text(notice: TableNotice, lost: Mapping[str, str] = {}, *, pair: bool = False) -> str:
    """A notice as one sentence; "" for notices without text. lost: what a proposed take-back would lose, as
    `client.session.log.lost_by` returns it; pair: True if only one other member is present, whom no vote can leave
    out."""
    match notice:
        case PeerStopped(why):
            return _(_STOPPED[why]).format(do=DO) if why in _STOPPED else refusal_text(Refusal(why))
        case LinkChanged(LinkChange.ANOTHER) | OthersHeard():
            return ""
        case LinkChanged(change, members):
            return _(_LINKS[change]).format(name=_listed(members))
        case ChatSaid(name, None):
            return _(_NOTICES[ChatSaid]).format(name=shown(name), text=_("(a text that did not come along)"))
        case EndUnseen(members):
            return _(_NOTICES[EndUnseen]).format(name=_listed(members))
        case FaultProven(member, rule):
            told = _PAIR_FAULT if pair else _NOTICES[FaultProven]
            return _(told).format(name=shown(member.name), what=problem_text(rule, ""), do=DO)
        case OwnFeedConfirmed(recovered) if recovered:
            return counted(_RECOVERED, {"recovered": str(recovered)}).format(recovered=recovered)
        case StateDiverged(member, height, how) if how:
            return _(_DIVERGED[how]).format(name=shown(member.name), height=height)
        case DivergenceFound(path="", file=file):
            return _(_SAME).format(file=shown(str(file)))
        case VoteNotice():
            return _vote_text(notice, lost)
    if type(notice) not in _NOTICES:
        return ""
    fields = {name: shown(text) for name, text in logged(notice).items()}
    return counted(_NOTICES[type(notice)], fields).format_map(fields)


def _vote_text(notice: VoteNotice, lost: Mapping[str, str]) -> str:
    about = {"out": _listed(notice.out), "at": str(notice.at), **{name: shown(text) for name, text in lost.items()}}
    if isinstance(notice.terms, list | tuple) and notice.terms:
        about["to"] = str(notice.terms[0])
    reason = shown(refusal_text(Refusal(notice.reason))) if notice.reason else ""
    what = pact_text(notice.kind, about)
    by = "" if notice.by is None else shown(notice.by.name)
    return _(_VOTES[notice.stage]).format(name=by, what=what, reason=reason, height=notice.at)


def _listed(members: Iterable[Party]) -> str:
    return shown(", ".join(map(str, members)))
