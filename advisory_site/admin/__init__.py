"""The back office shell and the screens that belong to no one record."""
