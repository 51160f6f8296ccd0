# SPDX-License-Identifier: GPL-3.0-or-later
"""The actions of a turn, one module each; :mod:`~engine.eclipse.actions.activation` is common to them."""
