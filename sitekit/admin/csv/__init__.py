"""Exports and imports of lists as CSV files."""
