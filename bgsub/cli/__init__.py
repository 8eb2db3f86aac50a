"""The command ``bgsub``: words in, exit codes out. Commands are thin; what they do is in the other rooms."""
