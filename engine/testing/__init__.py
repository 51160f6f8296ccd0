"""The test kit for games: what a new game is judged with, unasked and in its own tests.

gamekit   every game at every number of seats: options, refusals, lenses, notation, conservation, whole games judged
judges    whether a position is possible, played or set up by hand
driven    one match driven by answers in notation, with dice as a test wants them and positions edited in between
lint      what rules must not do, read from their source: no loop over a live list across a wait, and the like
toy       a small but whole game that waits in all eight ways
toymatch  matches of the toy game: new ones, random ones, ones that have come to a certain wait

Nothing that plays imports it.
"""
