# SPDX-License-Identifier: GPL-3.0-or-later
"""The test kit for games, used by the generic tests of every game and by a game's own tests.

gamekit   checks whole games of every game at every number of seats: options, refusals, lenses, notation, conservation
judges    check whether a position is possible, played or set up by hand
driven    a match driven by answers in notation, with forced dice and edited positions
lint      finds code in rules that cannot be replayed, such as a loop over a live list across a wait
toy       a small complete game with all eight waits
toymatch  matches of the toy game: new, random, at a certain wait

No module used in play imports this package.
"""
