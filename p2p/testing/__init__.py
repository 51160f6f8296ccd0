"""The test kit: what tests of this program, and of games that want to play over it, are built from.

machine     a small game that uses all eight waits
tables      a genesis from a number; peers that hand their entries straight to each other
plans       what goes wrong at a simulated table, and the disk that it goes wrong on
simpeer     a peer of a simulated table, with a bot's manners
persons     honest members with manners of their own
simulator   clock, network and checks: one number replays a whole table
hostile     peers that break the protocol, each in one way: hostile_draws with dice, cards and choices, hostile_silence
            by silence, with two faces, and by pooling; hostile_floods by saying too much
cheats      tables without a network where one member alters what it signs
homes       homes behind routers of several kinds, in network namespaces of Linux
hop         a circuit relay of libp2p in a process of its own
pooled      what some members could find out together
"""
