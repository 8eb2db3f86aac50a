"""What has been found, in the forms that other programs and people read.

In come the rows of a run, once all are known, and the log that sums them up; out come files. Next: they are published
with the videos.
"""
