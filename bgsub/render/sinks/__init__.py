"""Where the pictures of a layer go: videos, lossless masks, folders of pictures, memory.

In come pictures with exact times; out comes a file that is whole or not there.
"""
