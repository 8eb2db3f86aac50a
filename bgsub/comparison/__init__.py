"""bgsub and other subtractors on data sets, side by side: in comes a tree of sequences, out come tables."""
