"""Singular values and vectors: of factored matrices, of sketches, of matrices that are never formed.

Matrices or their products give factors (:mod:`bgsub.solver.spectra.atoms`) for the engines, the sets and the proof.
"""
