"""What who waits can write down when nobody can decide for the silent one: a signed claim.

Two members, or as many as are left below the threshold, cannot leave anybody out: the game pauses. Who waits may then
sign a `result` that says ["unanswered", member, kind of the entry that it owes], under the height and head where the
table stands. It ends nothing and convicts nobody, for a silent program cannot be told from a dead line. A log in which
the entry is there shows that the claim has lapsed, whoever brings the log.
"""

from __future__ import annotations

from p2p.lockstep.follower import Follower
from p2p.lockstep.step import read_claim
from seeds.dataclass import dataclass


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


def claims(table: Follower) -> tuple[Claim, ...]:
    """The last claim of each author, judged by what is known at this table."""
    found = []
    for author, entry in table.hearing.claims.items():
        said = read_claim(entry)
        if said is not None:
            member, kind = said
            here = (entry.height, entry.head) == (table.position.height, table.position.head)
            owed = table.debts()
            stands = here and owed.get(member) == kind and author not in owed
            found.append(Claim(author, member, entry.height, kind, stands))
    return tuple(found)
