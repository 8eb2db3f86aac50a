"""Step-size rules: the weight η of the proximal term, the combination weight γ, and the rank of a step.

A rule turns what the method knows about a step into a number; the method then moves the engine's point.
"""
