# SPDX-License-Identifier: GPL-3.0-or-later
"""Games as data: one table of rows for games, seats, decisions, rolls, events, rounds and battles.

    schema   the tables and their columns
    reader   the rows of one replayed game
    files    the rows of many games as CSV, JSON lines or Parquet

Rows of all tables are joined by `game`, the table's id in hex, and by `step`, the number of the resolved wait (the
height of PROTOCOL.md). What was taken back is left out. Nothing here depends on the language of the program.
"""
