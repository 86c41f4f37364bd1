"""Commands and jobs of operation: serve, check, backup, restore, copy, retention."""
