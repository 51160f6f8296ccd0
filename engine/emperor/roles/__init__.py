# SPDX-License-Identifier: GPL-3.0-or-later
"""What each role does, one module a role."""
