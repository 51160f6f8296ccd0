# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights that prepare others: commitments to the next roll, threshold keys of an epoch, deck keys of a generation."""

from __future__ import annotations

from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.task import Job, Made, Place, Task
from p2p.wire.codec import Plain
from p2p.wire.entry import Entry
from seeds.beacon import Beacon
from seeds.dealing import KeyGeneration, read_announcement, read_complaint, read_dealing
from seeds.deckkeys import Keyring, read_deck_key
from seeds.errors import Fault


class Commits(Task):
    """Every member commits to its seed for the next roll, announces its part in new threshold keys if these are needed,
    and shows its deck key if that is missing. decks: True if the next cards wait for missing deck keys, including those
    of members that are left out."""

    kinds = ("commit",)

    def __init__(
        self, beacon: Beacon, run: KeyGeneration | None, ring: Keyring | None, height: int, *, decks: bool
    ) -> None:
        self._beacon, self._run, self._ring, self._height = beacon, run, ring, height
        self._keyless = ring.owing if decks and ring is not None else ()
        self.changing = bool(self._keyless) and not beacon.uncommitted

    def owed(self) -> list[tuple[str, bytes]]:
        owing = [member for member in self._beacon.uncommitted if member not in self.cut]
        if self.changing and self._ring is not None:
            owing += self._ring.owing
        return [("commit", member) for member in owing]

    def place(self, kind: str, author: bytes) -> Place:
        return "open" if author in self._beacon.uncommitted else "never"

    def take(self, entry: Entry, proven: object) -> Fault | Job | None:
        match entry.body:
            case [int() as k, bytes() as committed, announcement, key] if type(k) is int:
                fault = self._announced(entry.author, announcement) or self._shown(entry.author, key)
                return fault or self._beacon.commit(entry.author, self._height, k, committed)
        return Fault("beacon/form", entry.author)

    def _announced(self, author: bytes, body: object) -> Fault | None:
        if self._run is None:
            return None if body is None else Fault("keys/form", author)
        announcement = read_announcement(body)
        return Fault("keys/form", author) if announcement is None else self._run.announce(author, announcement)

    def _shown(self, author: bytes, body: object) -> Fault | None:
        if self._ring is None or author not in self._ring.owing:
            return None if body is None else Fault("deck/form", author)
        key = read_deck_key(body)
        return Fault("deck/form", author) if key is None else self._ring.add(author, key)

    def make(self, kind: str, member_secrets: MemberSecrets) -> Made | Job | None:
        run, ring, k = self._run, self._ring, self._beacon.k
        announcement: Plain = member_secrets.announcement(run) if run is not None else None
        key = member_secrets.deck_key(ring) if ring is not None and member_secrets.me in ring.owing else None
        return Made(kind, [k, member_secrets.commitment(self._beacon.epoch, k), announcement, key])


class Keys(Task):
    """The members of an epoch make their threshold keys: each deals, then each signs `ok` for all dealings. A complaint
    convicts the dealer or the accuser, and the table then waits for the convicted member."""

    kinds = ("keys", "ok", "complaint")
    changing = True

    def __init__(self, run: KeyGeneration) -> None:
        self._run = run
        self._convicted: dict[bytes, None] = {}
        self.accused = self._dealings = dict[bytes, bytes]()

    def owed(self) -> list[tuple[str, bytes]]:
        run = self._run
        kind = "keys" if len(run.dealt) < len(run.members) else "ok"
        return [(kind, member) for member in self._convicted or run.owing or run.disagreeing]

    def place(self, kind: str, author: bytes) -> Place:
        dealing = len(self._run.dealt) < len(self._run.members)
        if author not in self._run.members or (kind == "keys" and not dealing):
            return "never"
        return "later" if kind != "keys" and dealing else "open"

    def take(self, entry: Entry, proven: object) -> Fault | Job | None:
        run, author = self._run, entry.author
        if entry.kind == "keys":
            dealing = read_dealing(entry.body, len(run.members))
            self._dealings[author] = entry.id
            return Fault("keys/form", author) if dealing is None else run.deal(author, dealing)
        if entry.kind == "ok":
            return run.ok(author, entry.body) if isinstance(entry.body, bytes) else Fault("keys/form", author)
        complaint = read_complaint(entry.body)
        fault = Fault("keys/form", author) if complaint is None else run.complain(author, complaint)
        self._convicted[fault.member] = None
        return fault

    def make(self, kind: str, member_secrets: MemberSecrets) -> Made | Job | None:
        if kind == "keys":
            return Made("keys", member_secrets.dealing(self._run))
        verdict = member_secrets.verdict(self._run)
        return Job(None, lambda: Made(*verdict()))
