"""The page of deleted records."""
