"""The status of the system, for admins."""
