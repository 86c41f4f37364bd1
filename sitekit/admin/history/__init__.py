"""The history page of a record."""
