# SPDX-License-Identifier: GPL-3.0-or-later
"""The test kit for this package and for games that are played over it.

machine     a small game that uses all eight waits
tables      a genesis from a number; peers that pass their entries directly to each other
plans       the faults of a simulated table; disk: that of a simulated peer
simpeer     a peer of a simulated table, which votes like a bot
drifting    an engine that computes another state; drifters: simulated tables with one
persons     honest members that vote in unusual ways
leavers     members that leave by a signature, honest ones and others
movers      members that go on with another key, honest ones and others
simulator   clock, network and checks: one number replays a whole table
hostile     peers that break the protocol, each in one way: hostile_draws with dice, cards and choices, hostile_silence
            by silence, double messages and pooling; hostile_floods by floods; hostile_votes by votes
            to choose, hostile_voters by floods of votes and silence on them; hostile_readers by votes to read hands,
            hostile_repairs by reading on from before a roll
between     one that stands between two parts of a table
dividers    a forger that gives another history to one who is away
put_back    members that put an old copy of their home back, and hostile ones that show them only some of what they lost
kinds       the hostile members that are seated in twos
copies      tables at which one home runs twice; endings: tables that go on after their end
trials      every kind of table by name; what each demands stands in trials_honest, trials_ends, trials_rolls (members
            that want a roll again) and trials_hostile
hostile_relays  relays that lie to their visitors
cheats      tables without a network where one member signs altered entries
homes       homes behind routers of several kinds, in network namespaces of Linux
hop         a circuit relay of libp2p in its own process
pooled      what some members could find out together
products    products of the group, computed once where one process plays all members of a table
"""
