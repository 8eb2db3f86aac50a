"""The one table of options.

In come words of a command line, TOML files and Python arguments; out comes :class:`~bgsub.options.table.Options`, every
value checked. Next: every room reads from it what concerns it.
"""
