# SPDX-License-Identifier: GPL-3.0-or-later
"""A kit for full screens, which knows no game and no table, and how the fronts on a terminal draw.

style     the colours of a terminal, and how many it has
canvas    composes lines to a screen
cards     documents as cards, tables and boxes
pane      a pane: keys, how they are spelt and what they do, foot, sentences of its help, drawing, mouse
page      a pane over the others: rows to read, or a list; and how a palette finds its entries
stack     a screen: panes below, pages over them, the line at the foot; its help and palette are those of what is on top
surface   the window that shows what a screen draws, and passes the mouse to it; completions of a typed line
"""

from typing import Final

SMALL: Final = (80, 24)
"""With fewer columns or rows one pane is shown at a time, and tables are played line by line."""
