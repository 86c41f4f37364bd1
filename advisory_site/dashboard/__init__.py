"""The admin page: its tabs, the overview, the status of the system. It may import every feature."""
