"""How far a point is from optimal, proven: the conditional-gradient gap, computed in float64 from the point alone.

In come a problem and a point; out comes a :class:`~bgsub.solver.proof.certificate.Certificate`. Next: the result.
"""
