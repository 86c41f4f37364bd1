"""The data about an email address: search, display, export and erasure."""
