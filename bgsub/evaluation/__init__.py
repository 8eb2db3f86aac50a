"""Scoring masks against ground truth."""
