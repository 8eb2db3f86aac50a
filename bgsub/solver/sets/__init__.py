"""Constraint sets, one per file."""
