"""Engines: where the point is kept, and how its gradient is computed; methods know neither."""
