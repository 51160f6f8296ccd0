# SPDX-License-Identifier: GPL-3.0-or-later
"""Says in a line that an answer was sent, and in another who has verified it, once all who are linked have."""

from __future__ import annotations

from client.session.past import verifiers
from client.session.session import Session
from client.session.view import view_of
from client.system.texts import _


class SentReceipt:
    """The number of the step that was sent last, and who has verified it.

    The names come in one line for all, and only for the newest step: whoever holds it holds all steps before it.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: int | None = None

    def sent(self) -> str:
        """The number of the step that was sent just now."""
        view = view_of(self._session)
        given = view.given
        assert given is not None
        self._open = given[-1]
        first, last = given[0], given[-1]
        if view.post:  # a letter takes it to the others
            text = _("Signed as step {n}.") if first == last else _("Signed as steps {first} to {n}.")
        else:
            text = _("Sent as step {n}.") if first == last else _("Sent as steps {first} to {n}.")
        return text.format(first=first, n=last)

    def verified(self) -> str:
        """Who has verified the step, once all linked members have, by post all members; "" before and after."""
        height, names = self._open, None if self._open is None else verifiers(self._session, self._open)
        if height is None or names is None:
            return ""
        self._open = None
        if not names:
            return ""
        return _("Step {n} verified by {names}.").format(n=height, names=", ".join(names))
