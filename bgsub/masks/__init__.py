"""From a residual to a foreground mask."""
