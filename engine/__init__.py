# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules: pure, deterministic, standard library only.

``engine.core`` is the machine that every game runs on and ``engine.testing`` the kit that judges games; each other
sub-package is one game (or a family of editions).
The engine knows no network, no cryptography, no screen and no clock: what it needs from outside arrives as an answer or
an outcome.
"""
