"""The page of the activity log."""
