"""The test kit: what tests of this program, and of games that want to play over it, are built from.

machine   a small game that uses all eight waits
tables    a genesis from a number; peers that hand their entries straight to each other
"""
