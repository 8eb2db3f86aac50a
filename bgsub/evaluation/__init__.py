"""Masks scored against ground truth: in come two folders or videos, out come counts, precision, recall and F."""
