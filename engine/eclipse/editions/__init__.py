# SPDX-License-Identifier: GPL-3.0-or-later
"""Editions of Eclipse: the second is :mod:`engine.eclipse.spec`, the first is :mod:`~engine.eclipse.editions.first`.

One set of rules plays both. What differs is content, or one line that asks the content:

===============================  ===========================================  ==========================================
what                             first edition                                second edition
===============================  ===========================================  ==========================================
rounds                           9                                            8
first to pass                    start player marker                          start player tile and 2 money
starting zones without players   explored from stack II                       Guardian sectors
sectors                          101-108, 201-211, 301-318, 221-232, 001      109, 110, 214, 281, 381, 382, 271-274 too
outer sectors for 2 to 6         5, 10, 14, 16, 18                            5, 8, 14, 16, 18
sector faces                     wilder, fewer artifacts; edges the same      see ``content/second``
technologies                     24 kinds, 96 tiles                           39 kinds, 114 tiles, 15 of them rare
new technologies for 2 to 6      4, 6, 7, 8, 9                                5, 6, 7, 8, 9, rare ones besides
order of prices                  Plasma Missile 14, Gluon Computer 16;        Gluon Computer 14, Plasma Missile 16;
                                 Improved Hull 4, Fusion Source 6;            Fusion Source 4, Improved Hull 6;
                                 Advanced Robotics 6, Orbital 8;              Orbital 6, Advanced Robotics 8;
                                 Artifact Key 14, Wormhole Generator 16       Wormhole Generator 14, Artifact Key 16
ship parts                       17 kinds and 6 ancient ones                  24 kinds and 15 ancient ones
Gluon and Positron Computer      initiative 2 and 1                           see ``content/second``
Plasma Missile                   no energy                                    1 energy
dice                             yellow, orange, red                          blue besides
orbital                          5 materials                                  4 materials
discovery tiles                  21, taken with control of the sector         36, taken on exploring undefended, or by
                                                                              ships left alone there after combat
reputation tiles                 32: 12, 9, 7, 4 of 1 to 4                    33: 12, 10, 7, 4
reputation tracks                some spaces for reputation tiles only        no such spaces
population tracks                a twelfth square, worth nothing when full    eleven squares
Ancients                         21, one blueprint                            14, three blueprints
Guardians                        none                                         four, three blueprints
defence of the centre            computer 1                                   computer 2 and variants
Eridani blueprints               1 energy on the dreadnought                  1 energy on each ship that moves
Hydran, Planta at the start      5 science; 4, 4 and 4                        6 science; 2, 3 and 4
Draco at the start               no technology                                Fusion Drive
two players                      advised against Planta and Draco             no advice
warp portals, Galactic Events    none                                         table options
===============================  ===========================================  ==========================================

``discovery_by`` and ``track_squares`` of the constants, ``advised_against`` of the set-up and the kinds of spaces on
reputation tracks are all that rules ask; every other difference is a figure.
"""
