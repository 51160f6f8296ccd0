# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of Eclipse.

pictures   all of them, by their command names
map        the galaxy, and its sectors in words; pieces: what stands on them
boards     players' boards, one seat in full, the points so far
seatboard  one seat's board as it lies on a table
tech       the tray of technologies, ship parts
battle     the sides of a battle, their order, and the stats of each ship
fight      the present battle: dice, advised targets, chances
odds       chances of battles on the map; whatif: of hypothetical battles
hints      the meaning of an option in the present position
galactic   sectors of Galactic Events; wanderers: shrines and boards of the species of expansions
words      short forms that the pictures share
shelves    the research tray as shelves; workbench: the ships of an upgrade
forms      the questions with a sheet
counts     figures of a seat and numbers over time
"""
