"""Compiled passes over the data, tile by tile and thread by thread: the only code that touches every entry.

In come arrays and the numbers of a step; out come sums, and arrays changed in place. Next: the engines use them.
"""
