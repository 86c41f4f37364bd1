"""The admin page: its tabs, the overview, the status of the system. Knows every feature."""
