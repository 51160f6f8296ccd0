"""The page that shows the session of a terminal too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.context import Context
from client.fronts import FrontOptions
from client.session.session import Session

if TYPE_CHECKING:
    from client.web.page import Page

__all__ = ["session_page"]


def session_page(session: Session, context: Context, options: FrontOptions) -> Page | None:
    """The page, if one is wanted: only then the server is imported."""
    if options.port is None:
        return None
    from client.web.page import Page

    return Page(session, context, options.port)
