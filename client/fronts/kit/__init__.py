# SPDX-License-Identifier: GPL-3.0-or-later
"""What the fronts on a terminal share: how they draw.

depth     how many colours the terminal has; `style`: the colours
canvas    composes lines to a screen
surface   the window that shows what a front draws, and passes the mouse to it
ui        the state of a view: pane, cursor, space in focus, page on top
sheet     sheets of cells as cards; `logged`: the log as lines
"""

from typing import Final

__all__ = ["SMALL"]

SMALL: Final = (80, 24)
"""With fewer columns or rows one pane is shown at a time, and tables are played line by line."""
