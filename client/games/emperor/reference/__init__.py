"""The rules of Galactic Emperor in our own words.

articles  all entries
figures   every number by itself, with how sure it is
"""
