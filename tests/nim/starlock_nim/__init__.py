"""Nim, a game of another package: no rounds, boards, battles, dice, cards or refusals, and nothing to pay with.

spec    the rules; `judge`: whether a position is possible
client  what the client knows of it
bot     who knows the theory
"""
