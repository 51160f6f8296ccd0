# SPDX-License-Identifier: GPL-3.0-or-later
"""Says in a line that an answer was sent, and in another who has verified it, once all who are linked have."""

from __future__ import annotations

from client.session.session import Session
from client.session.verified import verified_by
from client.system.texts import _

__all__ = ["Receipt"]


class Receipt:
    """The number of the step that was sent last, and who has verified it.

    The names come in one line for all, and only for the newest step: whoever holds it holds all steps before it.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: int | None = None

    def sent(self) -> str:
        """The number of the step that was sent just now."""
        given = self._session.sent.given
        assert given is not None
        self._open = given[-1]
        first, last = given[0], given[-1]
        if self._session.mail is not None:  # a letter takes it to the others
            text = _("Signed as step {n}.") if first == last else _("Signed as steps {first} to {n}.")
        else:
            text = _("Sent as step {n}.") if first == last else _("Sent as steps {first} to {n}.")
        return text.format(first=first, n=last)

    def verified(self) -> str:
        """Who has verified the step, once all linked members have, by post all members; "" before and after."""
        controls, session, height = self._session.controls, self._session, self._open
        if controls is None or height is None or not session.lasting:
            return ""
        held, post = controls.held(), session.mail is not None
        if not all(held.get(name, 0) > height for name, linked in controls.linked().items() if linked or post):
            return ""
        seats = verified_by(held, (), session.names, height)
        if not seats:
            return ""
        self._open = None
        names = ", ".join(dict.fromkeys(session.names[seat] for seat in seats))
        return _("Step {n} verified by {names}.").format(n=height, names=names) if controls.stands(height) else ""
