"""Side-by-side comparison of bgsub with other subtractors: a tree of sequences in, tables out."""
