"""How far a step goes: the weight η of the proximal term, the share γ of the combination, the rank of a step.

In comes what a method knows of its step; out comes a number. Next: the method moves the engine's point.
"""
