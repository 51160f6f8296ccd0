"""What who waits can write down when nobody can decide for the silent one: a signed claim.

Two members, or as many as are left below the threshold, cannot leave anybody out: the game pauses. Who waits may then
sign a `result` that says ["unanswered", member, kind of the entry that it owes], under the height and head where the
table stands. It ends nothing and convicts nobody, for a silent program cannot be told from a dead line. A log in which
the entry is there shows that the claim has lapsed, whoever brings the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2p.lockstep.pacts import threshold
from p2p.wire.codec import Plain
from p2p.wire.entry import Entry
from seeds.dataclass import dataclass

if TYPE_CHECKING:
    from p2p.lockstep.follower import Follower

UNANSWERED: Final = "unanswered"


@dataclass(frozen=True, slots=True)
class Claim:
    """`author` claims that at `height` `member` did not say the entry of this kind that it owed. stands: as far as this
    log goes, that entry is still owed there, and the author itself owes nothing: a claim by an author who owes an entry
    too does not stand."""

    author: bytes
    member: bytes
    height: int
    kind: str
    stands: bool


def claim_body(member: bytes, kind: str) -> Plain:
    """The body of the claim that this member owes an entry of this kind."""
    return [UNANSWERED, member, kind]


def read_claim(entry: Entry) -> tuple[bytes, str] | None:
    """Member and kind of a claim, None when a result is none."""
    match entry.kind, entry.body:
        case "result", [str() as code, bytes() as member, str() as kind] if code == UNANSWERED:
            return member, kind
    return None


def may_claim(table: Follower, member: bytes) -> bool:
    """True if the others are too few to go on without this member."""
    members = table.position.members
    return member in members and len(members) - 1 < threshold(len(members))


def claims(table: Follower) -> tuple[Claim, ...]:
    """The last claim of each author, judged by what is known at this table."""
    found = []
    for author, entry in table.claims.items():
        said = read_claim(entry)
        if said is not None:
            member, kind = said
            here = (entry.height, entry.head) == (table.position.height, table.position.head)
            owed = table.debts()
            stands = here and owed.get(member) == kind and author not in owed
            found.append(Claim(author, member, entry.height, kind, stands))
    return tuple(found)
