# SPDX-License-Identifier: GPL-3.0-or-later
"""The log of a table: the entries of all members, in memory, in the store and in files.

Each author's entries form a feed, a hash chain read in order of seq. This package does not know what the entries mean
to the game.

feeds      the feeds of a table in memory: gaps, forks, last entries
evidence   proof of a broken protocol: two contradicting entries, or one entry and the log before it
store      what a peer must not lose: its own entry is durable, with the secrets that it binds, before it is sent
disk       the sqlite file of the store: commits, errors with codes, migration · schema  its tables
sound      hashes in its rows, by which a damaged row is told from what was stored
lock       one process at a time in a home folder
records    the framing of both kinds of file, in which every byte is checked
starfile   a whole game in one file

Everything is synchronous. The store blocks on the disk; call it in a worker thread.
"""
