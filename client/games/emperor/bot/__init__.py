"""How the greedy bot plays Galactic Emperor.

turns  what each answer is worth right now
worth  what things are worth
"""
