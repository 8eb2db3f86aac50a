"""What moves, where and when: objects of each mask, tracks over time, events.

In come finished masks, frame by frame; out come rows (a track in a frame), tracks and events, each once it is certain.
Next: exports write them down, and a run sums them up.
"""
