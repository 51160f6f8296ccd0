"""Listening to a table: feeds, and the entries in them that fill no slot (votes, chat, claims, results)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Final

from p2p.lockstep.claims import read_claim
from p2p.lockstep.effects import Claimed, Convicted, Effect, Keep, Proposed, Refused, Said
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import Machine
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.pacts import Ballots, Pact, read_pact
from p2p.lockstep.position import Position
from p2p.lockstep.step import ProvenFault
from p2p.log.feeds import HELD, Feeds
from p2p.wire.codec import WireError
from p2p.wire.entry import Beside, Entry, fits

MAX_SPECTATORS: Final = 16
MAX_TEXT: Final = 500
MAX_EARLY_TEXTS: Final = 16 * HELD


class Hearing:
    """What is heard at a table, whatever its position. purse: of the member that listens, None for one who only
    follows."""

    def __init__(self, genesis: Genesis, machine: Machine, member_secrets: MemberSecrets | None) -> None:
        self.genesis = genesis
        self.position = Position(genesis, machine, member_secrets)
        self.me = member_secrets.me if member_secrets is not None else None
        self.feeds = Feeds(genesis.table)
        self.ballots = Ballots()
        self.faults: dict[bytes, list[ProvenFault]] = {}
        self.joined: set[bytes] = set()
        self.results: dict[bytes, Entry] = {}
        self.claims: dict[bytes, Entry] = {}
        self.texts: dict[bytes, Beside] = {}
        self._secrets = member_secrets
        self._unread: dict[bytes, None] = {}
        self._asked: set[bytes] = set()
        self._reported: set[str] = set()
        self._early_texts: dict[bytes, tuple[Entry, Beside]] = {}
        self._effects: list[Effect] = []

    def effects(self) -> list[Effect]:
        """What is to be done now, in order; each only once."""
        done, self._effects = self._effects, []
        return done

    # Whom to listen to -----------------------------------------------------------------------------------------------

    def knows(self, author: bytes) -> bool:
        """True if entries of this author may matter here: of members, of those who may become members, of a few
        spectators."""
        if author in self.position.roster or self.feeds.feed(author):
            return True
        guests = sum(known not in self.position.roster for known in self.feeds.authors)
        return guests < MAX_SPECTATORS or self._named(author)

    def welcome(self, entry: Entry) -> bool:
        """True if this entry may go into its feed: of spectators only chat does, and nothing that came early."""
        if entry.table != self.genesis.table:
            return False
        chat = entry.kind == "chat" and entry.seq <= len(self.feeds.feed(entry.author))
        return self.seated(entry.author) or (chat and self.knows(entry.author))

    def seated(self, author: bytes) -> bool:
        """True if what this author says belongs to the log: of members, and of those who may become members. What
        spectators say is passed on and never stored."""
        return author in self.position.roster or self._named(author)

    @property
    def log(self) -> list[Entry]:
        """The entries of the log: all readable ones without the chat of spectators."""
        return [entry for entry in self.feeds.entries if self.seated(entry.author)]

    def promised(self, author: bytes) -> int:
        """The last seq of this author that a pact rests on, -1 for none."""
        ends = (end for pact in self.ballots.pacts.values() for end in pact.out)
        return max((end.seq for end in ends if end.author == author), default=-1)

    def _named(self, author: bytes) -> bool:
        return any(pact.kind == "seat" and author in _keys(pact) for pact in self.ballots.pacts.values())

    def _add(self, entry: Entry, beside: Beside | None, own: bool, secrets: tuple[tuple[str, bytes], ...] = ()) -> bool:
        """Put an entry into its feed; whether anything became readable."""
        added = self.feeds.add(entry)
        if beside is not None and fits(entry, beside) and len(beside[1].encode()) <= MAX_TEXT:
            self._keep_text(entry, beside)
        for read in added.readable:
            if read.id in self._early_texts:
                self.texts[read.id] = self._early_texts.pop(read.id)[1]
            text = self.texts.get(read.id)
            self._unread[read.author] = None
            self._effects.append(Keep(read, own, secrets, text))
            self._hear(read, text)
        if added.fork is not None and self.seated(entry.author):
            self._accuse("entry/forked", added.fork.first, added.fork.second)
        return bool(added.readable)

    def _keep_text(self, entry: Entry, beside: Beside) -> None:
        """Keep a text with its entry, but none whose entry is not kept."""
        if self.feeds.get(entry.id) is not None:
            self.texts[entry.id] = beside
        elif self.feeds.holds(entry):
            self._early_texts[entry.id] = entry, beside
            if len(self._early_texts) > MAX_EARLY_TEXTS:
                known = self._early_texts.items()
                self._early_texts = {name: held for name, held in known if self.feeds.holds(held[0])}

    # Entries that fill no slot ---------------------------------------------------------------------------------------

    def _hear(self, entry: Entry, beside: Beside | None) -> None:
        match entry.kind:
            case "join":
                self.joined.add(entry.author)
            case "result":
                claim = read_claim(entry)
                if claim is None:
                    self.results[entry.author] = entry
                else:
                    self.claims[entry.author] = entry
                    self._effects.append(Claimed(entry.author, claim[0]))
            case "pact" | "sign" | "refuse":
                self._hear_vote(entry)
            case "chat":
                self._hear_chat(entry, beside)
            case "fault" if entry.author == self.me and isinstance(entry.body, list):
                self._reported.add(str(entry.body[:1]))
            case "clock":
                match entry.body:
                    case [bytes() as owing]:
                        self._effects.append(Claimed(entry.author, owing))

    def _hear_vote(self, entry: Entry) -> None:
        ballots, pact = self.ballots, None
        match entry.kind, entry.body:
            case "pact", body:
                try:
                    pact = read_pact(body)
                except WireError as error:
                    return self._accuse(error.code, entry)
                spectators = [key for key in _keys(pact) if not self.seated(key)]
                if ballots.propose(pact, entry):
                    self._effects.append(Proposed(pact, entry.author))
                    self._seat(spectators)
            case "sign", [bytes() as name]:
                if not ballots.sign(name, entry.author):
                    return self._accuse("pact/sign-after-refuse", entry)
                pact = ballots.pacts.get(name)
            case "refuse", [bytes() as name, str() as reason, _]:
                if not ballots.refuse(name, entry.author, reason):
                    return self._accuse("pact/refuse-after-sign", entry)
                pact = ballots.pacts.get(name)
                if pact is not None:
                    self._effects.append(Refused(pact, entry.author, reason))
            case _:
                return self._accuse("pact/shape", entry)
        if pact is not None:
            self._reconsider(pact)
        return None

    def _hear_chat(self, entry: Entry, beside: Beside | None) -> None:
        self._effects.append(Said(entry.author, beside[1] if beside is not None else None))

    def _seat(self, spectators: Iterable[bytes]) -> None:
        """What somebody said who may become a member now belongs to the log."""
        for entry in chain.from_iterable(map(self.feeds.feed, spectators)):
            self._effects.append(Keep(entry, own=False, beside=self.texts.get(entry.id)))

    def _reconsider(self, pact: Pact) -> None:
        """A word about a pact was heard, which may change what has happened."""

    # Faults and questions --------------------------------------------------------------------------------------------

    def _accuse(self, code: str, *entries: Entry, detail: str = "") -> None:
        fault = ProvenFault(code, entries[0].author, tuple(sorted(entry.id for entry in entries)), detail)
        known = self.faults.setdefault(fault.author, [])
        if fault not in known:
            known.append(fault)
            self._effects.append(Convicted(fault, entries))

    def _ask_once(self, about: bytes, effect: Effect) -> None:
        if about not in self._asked:
            self._asked.add(about)
            self._effects.append(effect)


def _keys(pact: Pact) -> tuple[bytes, ...]:
    """The table key that a seat pact names."""
    match pact.terms:
        case [_, [[_, bytes() as key, *_], *_]]:
            return (key,)
    return ()
