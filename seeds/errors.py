# SPDX-License-Identifier: GPL-3.0-or-later
"""The two kinds of errors: a member broke the protocol, or this program has a bug."""

from __future__ import annotations

from engine.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """A member's message contradicts an earlier one or the protocol. It has changed nothing.

    Attributes:
        code: stable name such as "beacon/opening-mismatch".
        member: the key that signed the message.
    """

    code: str
    member: bytes


class ContractError(Exception):
    """This program used a machine against its contract. This is a bug, never the fault of a member."""
