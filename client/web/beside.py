"""The page beside a terminal that shows the same session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.context import Context
from client.fronts import FrontOptions
from client.session.session import Session

if TYPE_CHECKING:
    from client.web.page import Page

__all__ = ["page_beside"]


def page_beside(session: Session, context: Context, options: FrontOptions) -> Page | None:
    """The page, if one is wanted: only then the server is imported."""
    if options.port is None:
        return None
    from client.web.page import Page

    return Page(session, context, options.port)
