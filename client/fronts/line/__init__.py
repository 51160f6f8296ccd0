# SPDX-License-Identifier: GPL-3.0-or-later
"""Line mode: a session as a conversation, one line at a time, on every terminal.

    run        runs a table on the terminal and restores the terminal
    terminal   prompt_toolkit's line with completion and history, and a plain line for dumb terminals
    screen     the lines of a session, independent of a terminal: typed lines in, lines to show out

All output works at 80x24, without colours and without Unicode.
"""
