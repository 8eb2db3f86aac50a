"""The main job: footage in, files and a report out. It knows all the rooms before it, and plans their memory."""
