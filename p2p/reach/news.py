# SPDX-License-Identifier: GPL-3.0-or-later
"""What a supervisor tells its reader about links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from p2p.link.live import LiveLink


@dataclass(frozen=True, slots=True)
class Came:
    """A link is up; link.peer_id is the identity. The reader of the news reads the link, and closes it if it may not
    stay."""

    link: LiveLink


@dataclass(frozen=True, slots=True)
class Went:
    """A link is down. code: as in LinkDownError. There is one for each Came, before the next Came of the same
    process."""

    link: LiveLink
    code: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """A wanted peer cannot be reached, for a new reason. expected: identity key, None for a sighting."""

    expected: bytes | None
    code: str
    detail: tuple[object, ...]


News: TypeAlias = Came | Went | Trouble
