# SPDX-License-Identifier: GPL-3.0-or-later
"""Galactic Events: pulsars, black holes, supernovas and nebulas, four options of the second edition.

``faces`` are their tiles in the catalogue. A nebula needs nothing more: its parts are sectors. The other three have a
module each; what stands elsewhere is one line a place: the turn menu lists activations of pulsars and ships in black
holes (``flow``), control of a pulsar lays the disc on its first space (``population``), a move ends in a black hole
(``actions.move``), a nebula is laid part by part (``actions.explore``) and takes no structures (``discovery``).

Source: the rule document of Galactic Events; rulings in ``rulings``.
"""
