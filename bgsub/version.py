"""The version of the program: this line is the only place that says it."""

__version__ = "0.1.0"
