"""Serves a Reflex app as complete HTML with true status codes."""
