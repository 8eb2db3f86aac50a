"""Footage that is no file: cameras, addresses, standard input. It is recorded to one, since footage is read twice.

Input: what the user named. Output: a source that reads the recording, as long as it is there. Next:
:mod:`bgsub.frames.read`, as for every file.
"""
