"""Public pages rendered to full HTML on the server."""
