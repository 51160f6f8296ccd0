# SPDX-License-Identifier: GPL-3.0-or-later
"""Eclipse.

``content/`` holds the tables of each edition; :mod:`~engine.eclipse.tables` describes their rows,
:mod:`~engine.eclipse.catalog` numbers them and precomputes what rules ask often. The state stores numbers; answers use
the ids. :mod:`~engine.eclipse.rulings` lists the rulings where documents are silent or disagree,
:mod:`~engine.eclipse.options` the table options.
"""
