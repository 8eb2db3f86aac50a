"""Certified suboptimality: the conditional-gradient (Frank–Wolfe) gap, computed in float64 from the point alone.

A problem and a point give a :class:`~bgsub.solver.proof.certificate.Certificate`, which goes into the result.
"""
