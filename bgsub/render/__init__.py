"""What people look at: layers drawn from a separated frame, and the files they go into."""
