"""What the solver learns about a camera, kept as a model that any frame can be held against."""
