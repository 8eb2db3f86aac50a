"""Sinks for the images of a layer: videos, lossless masks, image folders, memory.

Input: images with exact time stamps. Output: a file that is complete, or none.
"""
