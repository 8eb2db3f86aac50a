"""Compiled passes over the data, by tile and thread: the solver's inner loops.

They take arrays and the parameters of a step, return sums, and update arrays in place; the engines call them.
"""
