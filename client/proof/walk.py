# SPDX-License-Identifier: GPL-3.0-or-later
"""Replays a recorded game: its events by height, and the position at any height."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from client.proof.audit import SavedGame, game_named, in_words, machine_of, names_of
from client.proof.audit_chance import agreed_text
from client.system.errors import CHECK_FAILED, UserError
from client.system.names import member_name, shown
from client.system.texts import _
from client.table.machine import GameMachine
from client.table.telling import speaker
from client.words import DisplayNames, display_names_at, event_text
from client.words.rounds import round_told
from engine.core.dataclass import dataclass, field
from engine.core.events import Event
from engine.core.match import Match
from p2p.lockstep.account import pacts
from p2p.lockstep.effects import Effect, Happened, Rewound, Said
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.history import HistoryStep
from p2p.lockstep.replay import Progress
from p2p.wire.codec import WireError
from p2p.wire.entry import Entry, check_signature

if TYPE_CHECKING:
    from client.system.context import Context

WIDTH: Final = 78


@dataclass(slots=True)
class Walk:
    """history: (height, events) for the heights with events, ascending; said: name and text of the messages, the text
    None if it is not in the log."""

    table: Follower
    history: list[tuple[int, Sequence[Event]]] = field(default_factory=list)
    said: list[tuple[str, str | None]] = field(default_factory=list)
    names: list[str] = field(init=False)
    display_names: DisplayNames = field(init=False)

    def __post_init__(self) -> None:
        self.names = names_of(self.table.genesis)
        machine = self.table.position.machine
        assert isinstance(machine, GameMachine)
        self.display_names = display_names_at(machine.match.spec)

    @property
    def genesis(self) -> Genesis:
        """The genesis of the table."""
        return self.table.genesis

    @property
    def last(self) -> int:
        """The height that is open at the end of the log."""
        return self.table.position.height

    @property
    def complete(self) -> bool:
        """True if the game is over."""
        return self.table.position.over

    @property
    def events(self) -> list[Event]:
        """All events of the game, in order."""
        return [event for _height, events in self.history for event in events]

    @property
    def agreed(self) -> list[tuple[int, str]]:
        """What members have agreed by vote: the height and a sentence."""
        told = _("Agreed: {what}")
        return [(pact.height, told.format(what=agreed_text(self.genesis, pact))) for pact in pacts(self.table)]

    def match_at(self, height: int) -> Match | None:
        """The game when that height opened; None when it was taken back later."""
        position = self.table.position
        if not position.history.on_line(height):
            return None
        machine = position.machine if height == position.height else position.history.machine_at(height)
        assert isinstance(machine, GameMachine)
        return machine.match

    def take(self, effect: Effect) -> None:
        """Note what an effect of the table tells."""
        match effect:
            case Rewound(height):
                self.history = [(told, events) for told, events in self.history if told < height]
            case Happened(height, _, told):
                events = [event for event in told if isinstance(event, Event)]
                self.history += [(height, events)] if events else []
            case Said(author, text):
                member = self.table.position.roster.get(author)
                name = author.hex()[:8] if member is None else member_name(member.rows)
                name, text = speaker(self.table.position, author, name, text)
                self.said.append((name, None if text is None else shown(text)))

    def stands(self, height: int) -> bool:
        """True if what happened at this height has not been taken back."""
        return self.table.position.history.stands(height)

    def steps(self) -> Iterator[tuple[HistoryStep, Match]]:
        """Replay the game once, input by input. Each step yields the same match object, so read it before the next
        step."""
        for step in self.table.position.history.steps():
            assert isinstance(step.machine, GameMachine)
            yield step, step.machine.match

    def head_at(self, height: int) -> bytes:
        """The running hash of all inputs up to that height."""
        return self.table.position.past[height].head

    def round_at(self, height: int) -> int:
        """The round of the game at that height; 0 before the first."""
        standing = (events for at, events in self.history if at < height and self.stands(at))
        return round_told(event for events in standing for event in events)

    def log_lines(self, below: int) -> list[str]:
        """The events and pacts below that height in words, one or more lines each."""
        told = [*self.agreed]
        for height, events in self.history:
            texts = (event_text(event, self.names, self.display_names) for event in events)
            undone = "{text}" if self.stands(height) else _("taken back: {text}")
            told += [(height, undone.format(text=text)) for text in texts]
        lines, last = list[str](), -1
        for height, text in sorted(told, key=itemgetter(0)):
            if height < below:
                mark = f"{height:>5}  " if height > last else " " * 7
                lines.append(textwrap.fill(text, WIDTH, initial_indent=mark, subsequent_indent=" " * 9))
                last = height
        return lines or [_("Nothing has happened yet.")]


def check_height(walk: Walk, height: int) -> None:
    """UserError when there is no such height."""
    if not 0 <= height <= walk.last:
        raise UserError(
            "replay/height",
            _("There is no step {height} in this game.").format(height=height),
            _("Choose one from 0 to {last}.").format(last=walk.last),
        )


def match_of(walk: Walk, height: int) -> Match:
    """The game when that height opened. UserError when there is no such height, or it was taken back."""
    check_height(walk, height)
    match = walk.match_at(height)
    if match is None:
        raise UserError(
            "replay/taken-back",
            _("What happened at step {height} was taken back.").format(height=height),
            _("Choose a step after the take-back: the last one is {last}.").format(last=walk.last),
        )
    return match


def walk_of_input(word: str, context: Context) -> Walk:
    """The game of a FILE or TABLE. UserError when it cannot be read, is damaged, or is played by unknown rules."""
    return walk_of(game_named(word, context), word, in_words(context.progress))


def walk_of(log: SavedGame, source: str, progress: Progress) -> Walk:
    """The game of a log. UserError when it is not intact, or played by unknown rules; The message names `source`."""
    genesis = log.genesis
    if genesis is None:
        raise not_intact(source)
    walk = Walk(Follower(genesis, machine_of(genesis, log.content)))
    for number, entry in enumerate(log.entries):
        progress(number, len(log.entries), "replay")
        if not (log.checked or signed(entry)) or not walk.table.welcome(entry):
            raise not_intact(source)
        walk.table.take(entry, log.texts.get(entry.id))
        for effect in walk.table.settled():
            walk.take(effect)
    if walk.table.faults:
        raise not_intact(source)
    return walk


def signed(entry: Entry) -> bool:
    """True if its author signed the entry."""
    try:
        check_signature(entry)
    except WireError:
        return False
    return True


def not_intact(source: str) -> UserError:
    """The error for a game that cannot be shown, since its log is not intact."""
    return UserError(
        "replay/not-intact",
        _("{path} is not intact.").format(path=source),
        _("What is wrong with it: starlock verify {path}").format(path=source),
        CHECK_FAILED,
    )
