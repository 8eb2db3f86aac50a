"""Penalties, one per file."""
