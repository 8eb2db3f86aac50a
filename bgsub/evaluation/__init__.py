"""Scoring of masks against ground truth: two folders or videos in; counts, precision, recall and F out."""
