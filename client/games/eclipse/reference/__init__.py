"""The rules of Eclipse in our own words: articles and the figures that are played with.

articles   all entries of the second edition; first: those of the first edition
civil      course of the game, actions, economy, scoring; war: battles and diplomacy
galactic   Galactic Events; wanderers: the species of expansions
"""
