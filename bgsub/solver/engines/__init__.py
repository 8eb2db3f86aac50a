"""Engines: they store the current point and compute its gradient; methods need not know how."""
