"""The log of a table: what was said, by whom, in which order, and how it stays.

Each author's entries form a feed, a chain of hashes read strictly by seq. Feeds of one table stand side by side;
nothing here knows what the entries mean to the game.

feeds      the feeds of a table in memory: gaps, forks, what an author's copy ends with
evidence   two contradicting entries of one key stand alone; anything else needs the log that leads up to it
store      everything a peer must not lose: an own entry is durable with the secrets it binds before it is sent
disk       the sqlite file under it: commits, errors by name, older versions brought forward · schema  its tables
lock       one process at a time in a home folder
records    the frame that both kinds of file share: no slack, every byte accounted for
starfile   a whole game in one file

Everything is synchronous; the store blocks on the disk and belongs in a worker thread.
"""
