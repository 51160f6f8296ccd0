"""What can be wrong: a member broke the protocol, or this program did."""

from __future__ import annotations

from seeds.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """A member's message contradicts what it or the protocol fixed before; nothing was changed by it.

    Attributes:
        code: stable name such as "beacon/opening-mismatch".
        member: the key that signed the message.
    """

    code: str
    member: bytes


class LocalError(Exception):
    """This program used a machine against its contract: a bug here, never a member's doing."""
