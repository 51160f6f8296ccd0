"""The rules of Rex in our own words.

articles  all entries
cards     what each card does
"""
