# SPDX-License-Identifier: GPL-3.0-or-later
"""What every other room may use: it knows no table, no session and no screen.

errors        errors for people, and the exit codes; `system_troubles`: those of the operating system in words
context       what a command works with: folders, output, progress, the log
settings      the folders and the settings of a home
files         reads and writes files of the user
platform      signals, child processes and the differences between operating systems; `extras`: commands to install more
bridge        runs the terminal's asyncio and the table's trio in one thread; `running`: trio alone
journal       the log that `--log` writes; `progress`: the callback of long work
texts         translates: English is in the source, the other languages are in `client/locale`
names         makes text from strangers safe to show
meant         guesses the meaning of an unknown word
registry      the games: what the client knows of each, as one record; `packages`: games and bots of installed packages
places        loads code by the name of its place
parsed        keeps parsed content
"""
