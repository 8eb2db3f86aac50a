"""Smooth losses, one per file."""
