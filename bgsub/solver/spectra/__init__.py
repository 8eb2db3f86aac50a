"""Singular values and vectors: of factors, of sketches, of matrices that are never formed.

In come matrices or what multiplies by them; out come factors (:mod:`bgsub.solver.spectra.atoms`). Next: engines, sets
and the proof.
"""
