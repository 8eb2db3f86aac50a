"""The robust PCA of the sampled columns: terms, radii and method chosen from the data, the problem solved.

In come columns and their centre; out comes the low-rank part with its certificate. Next: :mod:`bgsub.background.light`
says which of its components are background.
"""
