"""A background in a file: NPZ, every value checked before it is believed."""
