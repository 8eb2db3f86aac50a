"""Files in every container and codec that FFmpeg writes, and what bgsub says to them."""
