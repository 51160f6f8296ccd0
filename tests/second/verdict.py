# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 13: judges a saved game with the file that tells what was asked."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from second.codec import Refused, encode, is_list
from second.entries import Entry
from second.genesis import Genesis
from second.hashing import H
from second.log import Log, is_claim, is_end, pact_of
from second.pacts import CUTTING, NEW_KEYS, Ballots, Count, Pact, complete
from second.reading import Reading
from second.savedgame import FileProblem, SavedGame, read_star
from second.told import Told

Problem = tuple[int | None, str]
"""The number of the entry at fault, from 0, where there is one, and the code."""


@dataclass
class Verdict:
    """What a reader without the rules finds. A code that begins with `told/` blames the log or the file that tells."""

    problems: list[Problem]
    reading: Reading | None = None
    final: bool = False
    end: list[Any] | None = None

    @property
    def signed_below(self) -> int:
        """The first height whose question not all members that are present have signed; the file alone tells it."""
        if self.reading is None:
            return 0
        reading, keys = self.reading, self.reading.position.keys
        below = [self.signed_by(reading, keys[number]) for number in reading.position.present()]
        return min(below, default=reading.position.height)

    def signed_by(self, reading: Reading, author: bytes) -> int:
        """The same of one member: by the state of the open height, or by the head that it names last."""
        position, below = reading.position, 0
        for entry in reading.log.feeds.get(author, []):
            spoken = entry.stage and entry.height == position.height
            ending = entry.kind == "result" and is_end(entry.body)
            if (spoken or ending) and (entry.head, entry.state) == (position.head, reading.state):
                return position.height + 1
            below = max(below, reading.held[entry.height] if reading.names(entry) else 0)
        return below

    @property
    def intact(self) -> bool:
        return not self.problems

    @property
    def over(self) -> bool:
        return self.reading is not None and self.reading.wait.asked == ["over"]


def judge(star: bytes, told_file: bytes) -> Verdict:
    """The verdict on a saved game, by the words of the file that tells."""
    try:
        game = read_star(star)
        check_content(game)
        genesis = find_genesis(game)
        told = Told(told_file, genesis.table)
    except FileProblem as problem:
        return Verdict([(problem.number, problem.code)])
    except Refused as refusal:
        return Verdict([(None, refusal.code)])
    return Judge(game, genesis, told).verdict()


def genesis_body(game: SavedGame) -> Any:
    """The body of the first genesis in the file that has the hash which is the table's id, or None."""
    bodies = [entry.body for entry in game.entries if entry.kind == "genesis"]
    return next((body for body in bodies if H("genesis", encode(body)) == game.entries[0].table), None)


def check_content(game: SavedGame) -> None:
    if game.content is None:
        return
    body = genesis_body(game)
    digest = hashlib.blake2b(game.content, digest_size=16).digest()
    if not isinstance(body, dict) or digest not in (kept_content(body.get("origin")), body.get("content")):
        raise Refused("file/content")


def kept_content(origin: Any) -> Any:
    """What the genesis of a table with an origin says of the content that it keeps."""
    return origin[3] if is_list(origin, 6) else None


def find_genesis(game: SavedGame) -> Genesis:
    body = genesis_body(game)
    if body is None:
        found = any(entry.kind == "genesis" for entry in game.entries)
        raise Refused("log/foreign-genesis" if found else "log/no-genesis")
    return Genesis(body)


@dataclass
class Judge:
    game: SavedGame
    genesis: Genesis
    told: Told
    stands: bool = False
    """True if an end stands that later votes would undo."""

    def verdict(self) -> Verdict:
        """The verdict. Where a vote gives a seat to a key whose entries the log did not take, it takes them (4.3)."""
        newcomers: tuple[bytes, ...] = ()
        while True:
            self.log, self.stands = Log(self.game.entries, self.genesis, newcomers), False
            verdict = self.verdict_of_log()
            assert verdict.reading is not None
            refused = [self.game.entries[number].author for number in self.log.strangers]
            late = [key for key in verdict.reading.position.keys if key in refused]
            known = (*newcomers, *late)[:NEW_KEYS]
            if known == newcomers:
                return verdict
            newcomers = known

    def verdict_of_log(self) -> Verdict:
        reading, final = self.standing_reading()
        verdict = Verdict(self.problems_of(reading), reading, final)
        if self.leads_elsewhere(reading):
            verdict.problems.append((None, "told/undone-end"))
        if any(pact.kind == "repair" for pact in reading.ballots.pacts.values()) and not verdict.intact:
            other = self.read({}, None, repairs=False)
            problems = self.problems_of(other)
            if not problems:
                verdict = Verdict(problems, other, self.is_final(other))
        if verdict.over and verdict.reading:
            keys, state = verdict.reading.position.keys, verdict.reading.state
            signed = [each for each in self.ends_of(verdict.reading) if each.author in keys and each.state == state]
            verdict.end = signed[0].body if signed else None
        return verdict

    # Which end stands (6.9).

    def read(self, ignored: dict[bytes, int], head: bytes | None, repairs: bool = True) -> Reading:
        reading = Reading(self.log, self.told, self.log.ballots(ignored, head), repairs)
        reading.run()
        return reading

    def standing_reading(self) -> tuple[Reading, bool]:
        for head, height, first in self.ends_to_try():
            reading = self.read(first, head)
            there = (reading.position.height, reading.position.head) == (height, head)
            if reading.wait.asked == ["over"] and there and self.is_final(reading):
                self.stands = True
                return reading, True
        reading = self.read({}, None)
        return reading, self.is_final(reading)

    def leads_elsewhere(self, reading: Reading) -> bool:
        """True if an end is left that may stand, and the file leads elsewhere (13.3, last item)."""
        for head, _, first in self.ends_to_try():
            left = self.members_left(self.log.ballots(first, head))
            may_stand = head != reading.position.head and left <= first.keys()
            if may_stand and (not self.stands or self.goes_before(head, first, left, reading)):
                return True
        return False

    def goes_before(self, head: bytes, first: dict[bytes, int], left: set[bytes], reading: Reading) -> bool:
        """True if one of those who are left has voted after this end for what leads to the end of the reading (6.9),
        unless this end leaves out somebody who is present there, and that one nobody who is left here."""
        position, members = reading.position, {member.key for member in self.genesis.members}
        present = {position.keys[number] for number in position.present()}
        if (members & present) - left and left.isdisjoint(position.keys[number] for number in position.left_out):
            return False
        votes = [vote for vote in reading.votes if vote[0] != head]
        return any(author in left and seq >= first[author] for _, author, seq in votes)

    def members_left(self, ballots: Ballots) -> set[bytes]:
        """Who may have to sign an end: members of the genesis whom no vote leaves out, and whom one takes back."""
        pacts = sorted(ballots.pacts.items(), key=lambda item: (item[1].at, item[0]))
        left = [member.key for member in self.genesis.members]
        back: set[bytes] = set()
        changed = True
        while changed:
            changed = False
            for _, pact in pacts:
                if not complete(pact, left, self.in_time(pact, ballots)):
                    continue
                if pact.kind in CUTTING and set(pact.names) & set(left):
                    left, changed = [key for key in left if key not in pact.names], True
                elif pact.kind == "back" and pact.terms[0] not in back:
                    back.add(pact.terms[0])
                    changed = True
        return set(left) | back

    def in_time(self, pact: Pact, ballots: Ballots) -> set[bytes]:
        """Who has signed a pact before any entry of its own that names a greater height, with a stage or for an end."""
        said = {author: [e for e in feed if e.stage or self.ends(e)] for author, feed in self.log.feeds.items()}
        feeds = {author: [entry for entry in feed if entry.stage] for author, feed in said.items()}
        later = {author: [each.seq for each in feed if each.height > pact.at] for author, feed in said.items()}
        states = {
            author: {each.state for each in feed if (each.height, each.head) == (pact.at, pact.head)}
            for author, feed in feeds.items()
        }
        return Count(ballots, pact.at, pact.head, [], later, states).in_time(pact)

    def ends_to_try(self) -> list[tuple[bytes, int, dict[bytes, int]]]:
        """(head, height, seq of the first result of each author) of the ends that a later vote might undo."""
        firsts: dict[tuple[int, bytes], dict[bytes, int]] = {}
        for entry in self.log.results:
            if not is_claim(entry.body):
                firsts.setdefault((entry.height, entry.head), {}).setdefault(entry.author, entry.seq)
        found = []
        for (height, head), first in firsts.items():
            later = [entry for author, seq in first.items() for entry in self.log.feeds[author][seq + 1 :]]
            if any(entry.kind in ("pact", "sign") for entry in later):
                found.append((head, height, first))
        found.sort(key=lambda end: (-len(end[2]), end[1], end[0]))
        ends = [entry for entry in self.log.results if not is_claim(entry.body)]
        latest = {entry.author: (entry.head, entry.height) for entry in ends}
        return [end for number, end in enumerate(found) if number < 4 or end[:2] in latest.values()]

    def ends(self, entry: Entry) -> bool:
        """True if an entry says how the game has ended."""
        return entry.kind == "result" and not is_claim(entry.body)

    def ends_of(self, reading: Reading) -> list[Entry]:
        """The results under the head of the end, in whatever form."""
        return [entry for entry in self.log.results if not is_claim(entry.body) and entry.head == reading.position.head]

    def is_final(self, reading: Reading) -> bool:
        if reading.wait.asked != ["over"]:
            return False
        signed = {entry.author for entry in self.ends_of(reading) if entry.height == reading.position.height}
        left = {author for author, feed in self.log.feeds.items() if feed and feed[-1].kind == "leave"}
        return all(reading.position.keys[number] in signed | left for number in reading.position.present())

    # All problems (13.1).

    def problems_of(self, reading: Reading) -> list[Problem]:
        found: list[Problem] = list(self.log.problems)
        found += [(self.log.number[entry.id], code) for entry, code in reading.ballots.faults]
        found += reading.problems
        found += self.left_over(reading)
        found += self.result_problems(reading)
        if reading.position.sealed and reading.position.sealed.changed:
            found.append((None, "anew/hand-changed"))
        if reading.heads.get(self.game.height) != self.game.head:
            found.append((None, "file/other-end"))
        return [problem for problem in dict.fromkeys(found) if not self.excused(problem, reading)]

    def left_over(self, reading: Reading) -> list[Problem]:
        found: list[Problem] = []
        position = reading.position
        for author, at in reading.next.items():
            feed = self.log.feeds[author]
            if at < len(feed):
                entry = feed[at]
                if entry.stage and entry.height == position.height and entry.head != position.head:
                    found.append((self.log.number[entry.id], "entry/other-head"))
        return found

    def excused(self, problem: Problem, reading: Reading) -> bool:
        """True for what only entries behind the end of a moved key's feed prove, if no signer had named it before."""
        if problem[0] is None:
            return False
        entry = self.game.entries[problem[0]]
        for pact in reading.excused:
            old, seq, _ = pact.out[0]
            if entry.author == old and entry.seq > seq and not self.accused_before(pact.id, old):
                return True
        return False

    def accused_before(self, pact: bytes, old: bytes) -> bool:
        """True if the feed of a signer has a `fault` that names the old key before its vote for the pact."""
        for feed in self.log.feeds.values():
            votes = [entry.seq for entry in feed if entry.kind in ("pact", "sign") and pact_of(entry) == pact]
            named = [entry.seq for entry in feed if entry.kind == "fault" and entry.body[0] == old]
            if votes and named and named[0] < votes[0]:
                return True
        return False

    def result_problems(self, reading: Reading) -> list[Problem]:
        position = reading.position
        over = reading.wait.asked == ["over"]
        last = {entry.author: entry for entry in self.log.results if not is_claim(entry.body)}
        found: list[Problem] = []
        agreed: bytes | None = None
        for entry in self.log.results:
            if not is_end(entry.body):
                continue
            number = self.log.number[entry.id]
            if over and entry.head == position.head:
                code, agreed = self.judge_end(entry, reading, agreed, last[entry.author] is entry)
                found += [(number, code)] if code else []
            elif reading.heads.get(entry.height) == entry.head:
                found.append((number, "result/not-over"))
            elif over and entry is last[entry.author] and self.ends_elsewhere(entry, reading):
                found.append((number, "result/other-head"))
        return found

    def ends_elsewhere(self, entry: Entry, reading: Reading) -> bool:
        """True if a result that names no position of this reading is a member's who does not play on."""
        member, feed = reading.position.number(entry.author), self.log.feeds[entry.author]
        playing = any(later.stage and later.seq > entry.seq for later in feed)
        return member in reading.position.members and not playing

    def judge_end(
        self, entry: Entry, reading: Reading, agreed: bytes | None, last: bool
    ) -> tuple[str | None, bytes | None]:
        """The code of what is wrong with a result under the head of the end, and what was said there first."""
        position = reading.position
        if entry.body[0] != position.ending:
            return "result/other-ending", agreed
        if entry.state != reading.state:
            return ("result/other-state" if last else None), agreed
        gone = [position.keys[number] for number in sorted(position.given_up)]
        said = encode(entry.body)
        if (
            entry.body[2] != gone
            or len(entry.body[1]) != len(position.owner)
            or (agreed is not None and said != agreed)
        ):
            return "result/other-points", agreed
        return None, said
