# SPDX-License-Identifier: GPL-3.0-or-later
"""What a player can look at and do at the table besides answering."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from math import inf
from pathlib import Path
from time import time
from typing import TypeVar

import trio

from client.table.confirmation import newer_elsewhere, outside
from client.table.machine import GameMachine
from client.table.moving import Requests
from client.table.notices import OthersHeard
from client.table.people import debts_of, name_at, people_here, speaking
from client.table.runtime import RunningTable
from client.table.telling import passed
from engine.core.cards import Lens
from engine.core.events import Event
from engine.core.match import Match
from p2p.link.bucket import Bucket
from p2p.lockstep.account import RollReport, StepReport, hands, rolls, signed_below, steps
from p2p.lockstep.consent import unreached
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import RefusalLike, TableRefusal
from p2p.lockstep.voting import Vote
from p2p.sync.pace import CHATS_A_MINUTE
from p2p.wire.address import friend_of, way_of
from p2p.wire.messages import Feed, Have

T = TypeVar("T")

SHORT = 4
"""Letters of an entry's id that are shown."""
FOLLOWING = TableRefusal("table/following")
"""The refusal for a spectator, who signs nothing."""


class RunningControls:
    """The controls of a running table; `client.table.player.TableControls` says what each tells or does.

    Attributes:
        leave: ends the play of this peer.
        examine: looks at the network, None without one.
        save: writes the game so far to a .star file, None without a place for it.
        alone: ends the play of this peer and goes on alone, None for who holds no seat; reach: the way back, as text;
            its argument names one more relay, "" for none.
    """

    def __init__(
        self,
        table: RunningTable,
        leave: Callable[[], None],
        examine: Callable[[Callable[[Sequence[str]], None]], None] | None = None,
        save: Callable[[], Path] | None = None,
        alone: Callable[[Sequence[str]], None] | None = None,
    ) -> None:
        self._table = table
        self._chats = Bucket(CHATS_A_MINUTE / 60, CHATS_A_MINUTE, trio.current_time())
        self.leave, self.examine, self.save, self.alone, self.reach = leave, examine, save, alone, table.way_back
        self._requests = None if table.voice is None else Requests(table, table.voice)
        self._answers, self._confirmed, self._told = self._owed(), self._lowest(), dict[int, str]()
        self._passed = set[bytes]()
        table.after_change += [self._tell_passed, self._tell_others]
        table.on_tick.append(self._tell_debts)

    def _owed(self) -> tuple[int, int]:
        """The present height, and how many answers it still waits for; 0 while it waits for chance."""
        position = self._table.lockstep.position
        return position.height, 0 if position.step.task is not None else len(position.missing)

    def _lowest(self) -> int:
        """The height below which every linked member is known to hold everything; 0 without a link."""
        linked = self.linked()
        return min((height for seat, height in self.held().items() if linked.get(seat)), default=0)

    def _tell_passed(self) -> None:
        """Tell the player once of each vote that takes effect when the open step ends, which may take long."""
        known = set(self._passed)
        for pact, notice in passed(self._table.lockstep, self._table.party):
            self._passed.add(pact)
            if pact not in known:
                self._table.notice(notice)

    def _tell_others(self) -> None:
        """Tell the player when one of several that are asked at the same time has answered, and when all who are linked
        have verified more steps; every new height is told anyway."""
        before, self._answers = self._answers, self._owed()
        confirmed, self._confirmed = self._confirmed, self._lowest()
        answered, verified = before[1] != self._answers[1], confirmed < self._confirmed
        if before[0] == self._answers[0] and (answered or verified):
            self._table.player.notice(OthersHeard())

    def _tell_debts(self) -> None:
        """Tell the player when others owe something, or somebody owes something else, which no notice tells in a chain
        of shuffles or shares. Once a tick: most of these waits end at once."""
        before, self._told = self._told, dict(self.debts())
        if before != self._told:
            self._table.player.notice(OthersHeard())

    @property
    def genesis(self) -> Genesis:
        return self._table.lockstep.genesis

    @property
    def match(self) -> Match:
        return self._table.machine.match

    @property
    def seats(self) -> tuple[int, ...]:
        return people_here(self._table)

    @property
    def height(self) -> int:
        return self._table.lockstep.position.height

    @property
    def history(self) -> Sequence[tuple[int, Sequence[Event]]]:
        return self._table.history

    def stands(self, height: int) -> bool:
        return self._table.lockstep.position.history.stands(height)

    def past(self, height: int) -> Match | None:
        position = self._table.lockstep.position
        if not 0 <= height <= position.height or not position.history.on_line(height):
            return None
        machine = position.history.machine_at(height)
        assert isinstance(machine, GameMachine)
        return machine.match

    def rolls(self) -> Sequence[RollReport]:
        return rolls(self._table.lockstep)

    def answered(self, seat: int) -> tuple[int, int] | None:
        """The heights of the first and the last answer in the latest entry with answers of a seat held here, of those
        that were not taken back; None before any."""
        lockstep, me = self._table.lockstep, self._table.me
        for entry in () if me is None else reversed(lockstep.feeds.feed(me)):
            match entry.kind, entry.body:
                case "answer", [said, [_, *more]] if said == seat and self.stands(entry.height):
                    return entry.height, entry.height + len(more)
                case "seal", [said, *_] if said == seat and self.stands(entry.height):
                    return entry.height, entry.height
        return None

    def seals(self) -> Mapping[int, str]:
        """The seats whose secret choice was sealed at this height or the one before, each with the first letters of
        the id of its entry."""
        lockstep = self._table.lockstep
        found: dict[int, str] = {}
        for seat, author in lockstep.position.owner.items():
            for entry in reversed(lockstep.feeds.feed(author)):
                if entry.height < lockstep.position.height - 1:
                    break
                if entry.kind == "seal" and isinstance(entry.body, list) and entry.body[:1] == [seat]:
                    found[seat] = entry.id.hex()[:SHORT]
                    break
        return found

    def deals(self) -> int:
        """How many times sealed cards were dealt."""
        position = self._table.lockstep.position
        return sum(pending.kind == "deal" for pending in position.asked.values()) if self.genesis.sealed else 0

    def hands(self) -> Mapping[int, Mapping[str, int]]:
        found: dict[int, Counter[str]] = {}
        for (deck, index), seat in hands(self._table.lockstep).items() if self.genesis.sealed else ():
            if index not in self.match.g.decks.order.get(deck, ()):
                found.setdefault(seat, Counter())[deck] += 1
        return found

    def steps(self, first: int) -> Mapping[int, StepReport]:
        return steps(self._table.lockstep, first)

    def held(self) -> Mapping[int, int]:
        table = self._table
        height, signed = table.lockstep.position.height, signed_below(table.lockstep)
        held = {key: signed.get(key, 0) for key in table.others()}
        for have in table.held.values():
            if have.writer is not None and have.writer in held:
                held[have.writer] = max(held[have.writer], min(self._lacking(have), default=height))
        return self._by_seat(held)

    def _by_seat(self, found: Mapping[bytes, T]) -> dict[int, T]:
        """By seat what was found of the member with this seat."""
        owner = self._table.lockstep.position.owner
        return {seat: found[key] for seat, key in sorted(owner.items()) if key in found}

    def ask_again(self) -> None:
        """Ask the others anew what they hold of the own feed; `holders` tells it."""
        if self._table.voice is not None:
            self._table.voice.lapse()

    def holders(self) -> Mapping[bytes, bool]:
        """By table key of each other member that is linked or has said good-bye: whether it has said, perhaps with
        that, that it holds all of the own feed."""
        table, voice = self._table, self._table.voice
        if voice is None or table.me is None:
            return {}
        end = Feed(table.me, *voice.own_end())
        said = {have.writer for have in table.held.values() if end in have.feeds}
        gone = {key for key in table.others() if table.identity(key) in table.farewells}
        return {key: key in said or key in gone for key in table.others() if key in gone or table.linked(key)}

    def _lacking(self, have: Have) -> list[int]:
        """The heights at which a member lacks entries: of each author the first of them."""
        feeds, seated = self._table.lockstep.feeds, self._table.lockstep.seated
        theirs = {feed.author: feed.seq for feed in have.feeds}
        return [
            feeds.feed(author)[theirs.get(author, -1) + 1].height
            for author, (seq, _id) in feeds.have().items()
            if seated(author) and theirs.get(author, -1) < seq
        ]

    def lens(self, seat: int) -> Lens:
        """The card faces that a seat of a person here knows; none for other seats, those of bots here too."""
        return self._table.machine.lens(seat) if seat in self.seats else Lens()

    def name(self, seat: int) -> str:
        return name_at(self._table.lockstep.position, seat)

    def owing(self) -> Sequence[int]:
        """The seats that owe the game an answer, ascending; () while this member must wait for votes."""
        lockstep = self._table.lockstep
        return () if self._awaited() else sorted(seat for seats in lockstep.owing().values() for seat in seats)

    def debts(self) -> Mapping[int, str]:
        """What keeps the table waiting, by seat. What no seat owes alone is owed by the seats of the member's people,
        else by those of its bots."""
        lockstep = self._table.lockstep
        asked = lockstep.owing()
        found = {
            seat: kind
            for key, kind in self.owed().items()
            for seat in (kind != "sign" and asked.get(key)) or speaking(lockstep.position, key)
        }
        return dict(sorted(found.items()))

    def owed(self) -> Mapping[bytes, str]:
        """What keeps the table waiting, by member: votes on a pact signed by this one, else entries of the game."""
        return dict.fromkeys(self._awaited(), "sign") or debts_of(self._table.lockstep)

    def _awaited(self) -> Collection[bytes]:
        """The members whose vote this member must wait for: nothing else can happen before they vote, or before one of
        them is heard, where they could still go another way and see a roll before."""
        voice = self._table.voice
        if voice is None:
            return ()
        asked = voice.voting.undecided() if voice.position.step.task is not None else set[bytes]()
        return voice.voting.awaited() or asked - {voice.me}

    def linked(self) -> Mapping[int, bool]:
        return self._by_seat({key: self._table.linked(key) for key in self._table.others()})

    def members(self) -> Mapping[int, int]:
        return self._by_seat(self._table.lockstep.position.membership.numbers)

    def ways(self) -> Mapping[int, str]:
        """By seat how its member is linked, also where it was left out and may come back: direct, relay, libp2p, the
        name of who passes it on, or empty; `here` for the seats of this machine."""
        table, position = self._table, self._table.lockstep.position
        known = {*position.owner.values()} - position.membership.gone
        return self._by_seat({key: "here" if key == table.me else self._way(key) for key in known})

    def _way(self, key: bytes) -> str:
        table, identity = self._table, self._table.identity(key)
        links = table.router.links
        for link in (links[name] for name, who in table.who.items() if who == identity and name in links):
            friend = friend_of(link.pipe.via)
            roster = table.lockstep.position.roster
            names = [table.name(other) for other in roster if other != table.me and table.identity(other) == friend]
            return names[0] if names else way_of(link.pipe.via)
        return ""

    def votes(self) -> Sequence[Vote]:
        voice = self._table.voice
        asked = [] if self._requests is None else self._requests.votes()
        return [] if voice is None else [*(vote for vote in voice.votes() if voice.me in vote.missing), *asked]

    def proposer(self, pact: bytes) -> str:
        asker = None if self._requests is None else self._requests.asker(pact)
        return self._table.name(asker or next(iter(self._table.lockstep.ballots.proposers[pact])))

    def chat(self, text: str) -> RefusalLike | None:
        """Send a chat message to all; keep what is meant for this home, such as an answer of a member."""
        if self._table.kept_here(text):
            return None
        voice = self._table.voice
        if voice is None:
            return FOLLOWING
        if not self._chats.take(1, trio.current_time()):
            return TableRefusal("chat/too-fast", "", (CHATS_A_MINUTE,))
        return self._said(voice.chat(text))

    def secrets_since(self, height: int) -> bool:
        return self._table.lockstep.position.secrets_since(height)

    def propose(
        self, kind: str, about: Sequence[int] = (), back_to: int | None = None, *, across: bool = False
    ) -> RefusalLike | None:
        """Propose a pact, which signs it; "leave" is that signature alone. about: numbers of members.
        across: allow a take-back of steps that revealed something hidden."""
        voice = self._table.voice
        if voice is None:
            return FOLLOWING
        members = voice.position.members
        known = self._others()
        keys = list(dict.fromkeys(known[number] for number in about if number in known))
        if not known.keys() >= set(about):
            return TableRefusal("table/no-such-member")
        there = tuple(self._table.name(key) for key in keys if key in members and key not in voice.position.cut)
        if there and (kind == "gone" or (kind == "absent" and len(members) == 2)):
            return TableRefusal("pact/absent-first" if len(members) > 2 else "pact/only-two", "", there)
        if kind == "absent" and any(key not in members for key in keys):
            return TableRefusal("pact/left-out")
        words = [key for key in self._table.others() if key not in keys]
        match kind:
            case "absent" if (cheat := next((key for key in keys if voice.voting.parted(key)), None)) is not None:
                return self._unheard(words) or self._said(voice.part(cheat, keys))
            case "absent":
                return self._early(keys) or self._unheard(words) or self._said(voice.propose(kind, keys))
            case "gone":
                return self._said(voice.propose(kind, keys))
            case "repair" if back_to is not None:
                return self._unheard(words) or self._said(voice.repair(back_to))
            case "takeback" if self._table.apart():
                return TableRefusal("pact/states-differ")
            case "takeback" if back_to is not None:
                return self._said(voice.propose(kind, terms=[back_to, across]))
            case "end":
                return self._said(voice.propose(kind, terms="agreed"))
            case "leave":
                return self._said(voice.leave())
            case "back":
                return self._outside() or self._said(voice.propose(kind))
        return TableRefusal("pact/kind")

    def _others(self) -> Mapping[int, bytes]:
        """The keys of the other members that are present or hold a seat, by number: no former keys of who has moved."""
        position = self._table.lockstep.position
        holders = {*position.owner.values(), *position.members} - {self._table.me}
        return {position.membership.numbers[key]: key for key in holders}

    def vote(self, pact: bytes, yes: bool) -> RefusalLike | None:
        """Consent to a pact, or refuse it. Final."""
        voice = self._table.voice
        if voice is None:
            return FOLLOWING
        asker = None if self._requests is None else self._requests.asker(pact)
        if self._requests is not None and asker is not None:
            return self._said(self._requests.vote(asker, yes=yes))
        if not yes:
            return self._said(voice.refuse(pact, "pact/declined"))
        vote = voice.voting.vote(pact)
        if vote is not None and vote.pact.kind in ("absent", "repair", "free"):
            why = self._early(sorted(vote.pact.named)) or self._unheard(vote.missing)
            if why is not None:
                return why
        return self._said(voice.sign(pact))

    def _outside(self) -> RefusalLike | None:
        """Why this member may not ask to come back: it was not left out, or its program cannot follow the table."""
        if outside(self._table) != "lockstep/left-out":
            return TableRefusal("pact/not-left-out")
        return TableRefusal("pact/own-program") if self._table.apart() else None

    def _early(self, keys: Sequence[bytes]) -> RefusalLike | None:
        """Why nobody may be left out yet: the agreed time has not passed. Where programs differ no time helps."""
        for key in () if self._table.apart() else keys:
            if key in self._table.lockstep.position.cut:
                continue
            until = self._table.waited_until(key)
            if until == inf:
                return TableRefusal("pact/no-limit", "", (self._table.name(key),))
            if until > time():
                told = datetime.fromtimestamp(until).astimezone().strftime("%Y-%m-%d %H:%M:%S")
                return TableRefusal("pact/too-early", "", (self._table.name(key), told))
        return None

    def _unheard(self, words: Sequence[bytes]) -> RefusalLike | None:
        """Why this member should not sign now: a signature binds until all of these members have voted, and one of them
        is out of reach. By post every vote takes time, so there is no such refusal."""
        missing = unreached(self._table.exchange, self._table.me, words) if self._table.router.live else []
        return TableRefusal("pact/word-missing", "", tuple(map(self._table.name, missing))) if missing else None

    def vouch(self) -> RefusalLike | None:
        """State that no newer entries of this member exist, for when no linked member could know of any."""
        voice = self._table.voice
        if voice is None:
            return FOLLOWING
        if voice.unconfirmed and any(map(self._may_confirm, self._table.others())):
            return TableRefusal("own-feed/linked")
        newer = newer_elsewhere(self._table)
        if voice.unconfirmed and newer:
            return TableRefusal("own-feed/newer", "", tuple(newer))
        return self._said(voice.vouch(for_run=not self._table.router.live))

    def _may_confirm(self, key: bytes) -> bool:
        """True if a linked program signs with this key, or has not said with which. Another device of that member,
        which has lost the key, confirms nothing."""
        table, identity = self._table, self._table.identity(key)
        haves = [table.held.get(name) for name, who in table.who.items() if who == identity]
        return any(have is None or have.writer == key for have in haves)

    def claim(self, member: int) -> RefusalLike | None:
        """Sign a claim that a member keeps the table waiting, at a table that cannot go on without it."""
        voice = self._table.voice
        if voice is None:
            return FOLLOWING
        key = self._others().get(member)
        return TableRefusal("table/no-such-member") if key is None else self._said(voice.claim(key))

    def _said(self, refusal: RefusalLike | None) -> RefusalLike | None:
        """Wake the loop to carry out what was signed. Returns the refusal with names of members instead of keys."""
        self._table.soon(lambda: None)
        if refusal is None:
            return None
        detail = (self._table.name(part) if isinstance(part, bytes) else part for part in refusal.detail)
        return TableRefusal(refusal.code, refusal.path, tuple(detail))
