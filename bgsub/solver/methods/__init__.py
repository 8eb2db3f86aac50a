"""Methods: each supplies a start and an update; the loop is in `bgsub.solver.loop`."""
