"""A Singapore advisory firm on the web: its public pages and its back office."""
