"""Any footage as frames, and frames as columns of a matrix."""
