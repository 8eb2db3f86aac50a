"""The main job, from footage to files and a report: it uses all the packages before it, and plans their memory."""
