# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges games from their bytes, and tells what they show. Only the log counts; no table is asked.

audit            judges a game, a table or a piece of evidence
audit_chance     the rolls, shuffles and claims of a game
audit_report     reports the verdict of a game; `evidence_report`: that of a piece of evidence
walk             replays a recorded game to any of its steps
recording        the steps of a game with the cards that are known
dealt            deals the unknown cards for playing on from a step
alone            goes on alone from the last step of a table, at a new one that names it
luck             compares the dice and the draws of each seat with fair ones
"""
