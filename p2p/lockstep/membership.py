# SPDX-License-Identifier: GPL-3.0-or-later
"""The members of a table, their seats, and how pacts change both."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from p2p.identity.tablekey import Certificate
from p2p.lockstep.genesis import NONCE, Genesis, Member
from p2p.lockstep.machine import GivenNotice
from p2p.lockstep.pacts import LEAVING, NEWCOMERS, FeedEnd, Pact, moving_lobby
from p2p.wire.codec import Value, WireError
from seeds.errors import ContractError


class Membership:
    """The members at one height.

    Attributes:
        roster: all present and former members, by key.
        numbers: by key, the number of each member in the order of joining.
        members: the keys of the present members, by number.
        owner: by seat, the key of its member.
        rows: by seat, who plays it: a person, or a bot of the member.
        cut: the end of the feed of each member that was left out.
        floor: the seq after which the feed of a returned member counts again.
        returned: the members that came back at the last change of height, each with its floor.
        returns: how often each member has come back.
        gone: the members that were given up for good.
    """

    def __init__(self, genesis: Genesis) -> None:
        self.roster: dict[bytes, Member] = {member.key: member for member in genesis.members}
        self.numbers = {member.key: number for number, member in enumerate(genesis.members)}
        self.members = tuple(self.roster)
        self.owner = {seat: member.key for member in genesis.members for seat in member.seats}
        self.rows = {row.seat: row for member in genesis.members for row in member.rows}
        self.cut: dict[bytes, FeedEnd] = {}
        self.floor: dict[bytes, int] = {}
        self.returned: dict[bytes, int] = {}
        self.returns: dict[bytes, int] = {}
        self.gone: set[bytes] = set()
        self._sealed = genesis.sealed
        self._most = len(genesis.members) + NEWCOMERS
        self._table = genesis.table

    @property
    def present(self) -> list[bytes]:
        """The members that are not left out."""
        return [member for member in self.members if member not in self.cut]

    @property
    def holders(self) -> list[bytes]:
        """The members that hold seats, left out or not, by number."""
        return sorted((m for m in set(self.owner.values()) if m not in self.gone), key=self.numbers.__getitem__)

    def allows(self, pact: Pact) -> bool:
        """True if a pact is applicable to these members. Members check more before they sign; this refuses pacts that
        not even all members together may agree on."""
        match pact.kind, pact.terms:
            case (("absent" | "without" | "repair"), _):
                return pact.named <= set(self.members)
            case "gone", _:
                return all(author in self.cut and author not in self.members for author in pact.named)
            case "back", [bytes() as author, _]:
                return author in self.cut and author not in self.gone and author not in self.members
            case "seat", [int() as seat, record]:
                return self.owner.get(seat) in self.present and self._takes(seat, record)
            case "moved", _:
                return self.moving(pact) is None
        return True

    def seating(self, pacts: Iterable[Pact]) -> list[Pact]:
        """Return these pacts without those that would give a seat to more new keys than a table takes. Of several those
        that come first."""
        keys, found = set(self.numbers), list[Pact]()
        for pact in pacts:
            after = keys if pact.newcomer is None else keys | {pact.newcomer}
            if len(after) <= self._most:
                keys = after
                found.append(pact)
        return found

    def moving(self, pact: Pact) -> str | None:
        """Return the code that says why nobody can move as a pact says, None if it can: the new table key is unknown,
        and the identity behind the old one has certified it for this table."""
        match pact.terms:
            case [fields, bool() as kept] if len(pact.out) == 1:
                try:
                    certificate, old = Certificate.read(fields), pact.out[0].author
                except WireError as error:
                    return error.code
                if old not in self.owner.values():
                    return "pact/no-such-seat"
                if old in self.gone:
                    return "pact/given-up"
                if certificate.identity != self.roster[old].certificate.identity:
                    return "pact/other-identity"
                if certificate.lobby != moving_lobby(self._table, old, kept=kept):
                    return "genesis/lobby"
                return "pact/known-key" if certificate.key in self.roster else None
        return "pact/terms"

    def moved(self, pact: Pact) -> Member:
        """Return the member that goes on for the one that a `moved` names, with the seats of that one."""
        (old,) = pact.named
        rows = tuple(self.rows[seat] for seat, owner in sorted(self.owner.items()) if owner == old)
        match pact.terms:
            case [fields, _]:
                return Member(Certificate.read(fields), rows, bytes(NONCE))
        raise ContractError("no terms of a member that moves")

    def _takes(self, seat: int, record: Value) -> bool:
        """True if this is the record of a member that may take this seat."""
        try:
            member = Member.read(record)
        except WireError:
            return False
        return member.key not in self.cut and member.seats == (seat,)

    def leave_out(self, pacts: Iterable[Pact]) -> None:
        """Cut the feeds that these pacts end."""
        for pact in pacts:
            if pact.kind in LEAVING:
                self.cut.update({end.author: end for end in pact.out})

    def left_out(self, pacts: Iterable[Pact]) -> list[GivenNotice]:
        """Return the notices for the game about the members that these pacts leave out."""
        silent = {who for pact in pacts if pact.kind in LEAVING for who in pact.named}
        return self._notices(silent.intersection(self.members), "left-out")

    def change(self, pact: Pact) -> list[GivenNotice]:
        """Apply a pact and return the notices for the game. `settle` ends the changes of a height."""
        match pact.kind, pact.terms:
            case "back", [bytes() as author, int() as seq]:
                self.floor[author] = self.returned[author] = max(seq, self.floor.get(author, 0))
                if self.cut.pop(author, None) is None:
                    return []  # another pact of this height has let it back
                self.returns[author] = self.returns.get(author, 0) + 1
                self.members = (*self.members, author)
                return self._notices([author], "back")
            case "seat", [int() as seat, record]:
                member = Member.read(record)
                (self.rows[seat],) = member.rows
                return self._hand_over(seat, member)
            case "gone", _:
                return self.give_up(pact.named)
            case "moved", [_, bool() as kept]:
                member = self.moved(pact)
                self.gone.update(pact.named)
                return [notice for seat in member.seats for notice in self._hand_over(seat, member, kept=kept)]
        return []

    def give_up(self, members: Collection[bytes]) -> list[GivenNotice]:
        """Give up these members for good and return the notices for the game."""
        self.gone.update(members)
        return self._notices(members, "vacated", "hand-returned")

    def settle(self) -> None:
        """Update the members after all pacts of a height: they hold a seat and are not left out."""
        holding = set(self.owner.values())
        self.members = tuple(sorted(holding.intersection(self.present), key=self.numbers.__getitem__))

    def _hand_over(self, seat: int, member: Member, *, kept: bool = False) -> list[GivenNotice]:
        self.roster.setdefault(member.key, member)
        self.numbers.setdefault(member.key, len(self.numbers))
        before, self.owner[seat] = self.owner[seat], member.key
        self.members = (*self.members, member.key)
        unread = self._sealed and before != member.key and not kept  # only the old owner could read its cards
        notices = [("hand-returned", unread), ("back", before in self.cut)]
        return [GivenNotice(kind, seat) for kind, holds in notices if holds]

    def _notices(self, authors: Collection[bytes], *kinds: str) -> list[GivenNotice]:
        """Return a notice of each kind for each seat of these members."""
        seats = [seat for seat, owner in sorted(self.owner.items()) if owner in authors]
        return [GivenNotice(kind, seat) for seat in seats for kind in kinds]
